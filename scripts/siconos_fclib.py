#!/usr/bin/python3
"""siconos_fclib.py FILE.hdf5... - has Siconos solve step problems and compares its velocities.

The files are what `impactlab run ... --fclib FILE.hdf5` writes: FCLib's global problem

    M v = H r + f,   u = H' v + w,   0 <= u_N orthogonal to r_N >= 0,   mu = 0,

and the answer of the program's projector. Siconos (Debian: python3-siconos, python3-scipy,
python3-h5py) gets the same problem reduced to the contacts, W = H' M^-1 H and q = H' M^-1 f + w,
and solves it by its nonsmooth Gauss-Seidel method, which shares nothing with our projectors.

How far two answers of the form v = M^-1 (H r + f) can be apart follows from their own residuals,
whoever made them: with r, r' >= 0,

    |v - v'|_M^2 = (r - r')' (u - u') <= r'u + r''u' + sum r max(0, -u') + sum r' max(0, -u).

The check holds when that bound is small (else one of the two did not solve the problem) and the
velocities keep to it.

Exit status: 0 they agree; 1 they do not, or Siconos did not get far enough to tell; 2 a file that
cannot be read; 77 Siconos is not installed.
"""
import sys
import time

# What NSGS is asked for, in its own relative measure, and how long it may try.
NSGS_TOLERANCE = 1e-13
NSGS_SWEEPS = 200000

# The bound above, relative to |v|_M, must come below this for a verdict. It is the square root of
# the residuals, and these reach 1e-13 times the size of the data.
TELLING = 1e-5

# Rounding, relative to the larger of |v|_M and |M^-1 f|_M: v = M^-1 (H r + f) is a sum of a few
# dozen terms, which in a jam are up to a hundred times larger than the sum.
ROUNDING = 1e-12

try:
    import warnings

    import h5py
    import numpy as np
    import scipy.sparse as sp
    import scipy.sparse.linalg as spl
    import siconos.numerics as sn
except ImportError as missing:
    print(f"skipped: {missing} (Debian: python3-siconos python3-scipy python3-h5py)")
    sys.exit(77)


def matrix(group):
    """A matrix of FCLib in compressed columns."""
    if group["nz"][0] != -1:
        raise ValueError(f"{group.name} is not stored in compressed columns")
    shape = (group["m"][0], group["n"][0])
    return sp.csc_matrix((group["x"][()], group["i"][()], group["p"][()]), shape=shape)


def read(path):
    """Title, M, H, f, w and our v, r, u of a file."""
    with h5py.File(path, "r") as file:
        problem = file["fclib_global"]
        vectors = problem["vectors"]
        if problem["spacedim"][0] != 3 or np.any(vectors["mu"][()] != 0.0):
            raise ValueError("not a frictionless problem with three components a contact")
        answer = {key: file["solution"][key][()] for key in "vru"}
        return (problem["info/title"][()].decode(), matrix(problem["M"]), matrix(problem["H"]),
                vectors["f"][()], vectors["w"][()], answer)


def solve(W, q):
    """r by Siconos, with its sweeps, its own error measure and its seconds."""
    contacts = len(q) // 3
    problem = sn.FrictionContactProblem(3, contacts, W, q, np.zeros(contacts))
    options = sn.SolverOptions(sn.SICONOS_FRICTION_3D_NSGS)
    options.dparam[sn.SICONOS_DPARAM_TOL] = NSGS_TOLERANCE
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = NSGS_SWEEPS
    r, u = np.zeros(3 * contacts), np.zeros(3 * contacts)
    began = time.process_time()
    sn.fc3d_driver(problem, r, u, options)
    return (r, options.iparam[sn.SICONOS_IPARAM_ITER_DONE],
            options.dparam[sn.SICONOS_DPARAM_RESIDU], time.process_time() - began)


def compare(path):
    """Solve one file by Siconos; True if the answers agree."""
    title, M, H, f, w, ours = read(path)
    inverse = spl.splu(M)
    free = inverse.solve(f)
    W = sp.csc_matrix(H.T @ sp.csc_matrix(inverse.solve(H.toarray()))) if M.nnz > M.shape[0] \
        else sp.csc_matrix(H.T @ sp.diags(1.0 / M.diagonal()) @ H)
    r, sweeps, residual, seconds = solve(W, H.T @ free + w)
    v = inverse.solve(H @ r + f)
    u = H.T @ v + w
    normal = slice(0, None, 3)
    r1, r2 = ours["r"][normal], np.maximum(r[normal], 0.0)
    u1, u2 = (H.T @ ours["v"] + w)[normal], u[normal]

    def norm(x):
        return float(np.sqrt(x @ (M @ x)))

    size = max(norm(v), norm(free))
    apart = norm(v - ours["v"]) / size
    formed = norm(inverse.solve(H @ ours["r"] + f) - ours["v"]) / size  # the bound assumes 0
    gap = (np.abs(r1 * u1).sum() + np.abs(r2 * u2).sum() + (r1 * np.maximum(0.0, -u2)).sum()
           + (r2 * np.maximum(0.0, -u1)).sum())
    bound = float(np.sqrt(gap)) / size
    sound = formed <= ROUNDING and r1.min() >= 0.0
    agree = sound and bound <= TELLING and apart <= bound + ROUNDING
    print(f"{title}\n  {len(r1)} rows, {int((r1 > 0).sum())} push; Siconos NSGS {sweeps} sweeps, "
          f"its error {residual:.1e}, {seconds:.2f} s\n"
          f"  |v - v_Siconos|_M / |v|_M {apart:.1e}, bound from both residuals {bound:.1e}; "
          f"least u_N: ours {u1.min():.1e}, Siconos {u2.min():.1e}: "
          f"{'agree' if agree else 'NOT TOLD' if bound > TELLING else 'DO NOT AGREE'}"
          + ("" if sound else f" (our v and r do not belong together: {formed:.1e})"))
    return agree


def main(paths):
    if not paths:
        print("usage: siconos_fclib.py FILE.hdf5...", file=sys.stderr)
        return 2
    warnings.filterwarnings("ignore", message="Performance warning")
    agree = True
    for path in paths:
        try:
            agree = compare(path) and agree
        except (OSError, KeyError, ValueError) as error:
            print(f"siconos_fclib.py: '{path}': {error}; allowed: files of impactlab run --fclib",
                  file=sys.stderr)
            return 2
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
