"""The wheel: the Python package with an installation inside, impactlab/root, and the libraries that Debian has
and others may not, impactlab/root/lib/needed. It installs the command `impactlab` too.

    python3 wheel.py PROGRAM VERSION FOLDER     as `make wheel` calls it; prints the wheel's name

PROGRAM stands beside its module and the library, all three linked to look for libraries in lib/needed. As a
backend of pip this makes them first. Standard library only.
"""
import base64, hashlib, os, pathlib, platform, re, shutil, subprocess, sys, tempfile, tomllib, zipfile

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[2]

# What a wheel for manylinux may expect of a system.
SYSTEM = re.compile(r"(libc|libm|libresolv|libdl|librt|libpthread|libgcc_s|libstdc\+\+|ld-linux[-a-z0-9_]*)\.so")

# Starts the program without Python's own packages, which it does not need.
COMMAND = """#!python
import importlib.util, os, sys
root = os.path.join(importlib.util.find_spec("impactlab").submodule_search_locations[0], "root")
os.execv(os.path.join(root, "bin", "impactlab"), ["impactlab", *sys.argv[1:]])
"""


def needed(*files):
    """The paths of the libraries that these load, but for the system's."""
    found = {}
    for file in files:
        for line in subprocess.run(["ldd", file], check=True, capture_output=True, text=True).stdout.splitlines():
            name, _, rest = line.strip().partition(" => ")
            if rest.startswith("not found"):
                raise SystemExit("wheel.py: %s needs %s, which is not here" % (file, name))
            if rest and not SYSTEM.match(name):
                found[name] = rest.split(" (")[0]
    return found


def stage(program, version, folder):
    """The installation, without what belongs to a system's folders."""
    root = folder / "impactlab" / "root"
    subprocess.run(["bash", "scripts/put.sh", "install", program, program.with_name("impactlab_hdf5.so"), root, version],
                   cwd=TREE, check=True, stdout=subprocess.DEVNULL)
    package, = root.glob("lib/python3*/dist-packages/impactlab")
    for file in package.iterdir():
        file.rename(folder / "impactlab" / file.name)
    (root / "lib/libimpactlab.so").unlink()
    for gone in ("include", "lib/pkgconfig", package.relative_to(root).parts[0] + "/" + package.relative_to(root).parts[1],
                 "share/man", "share/doc"):
        shutil.rmtree(root / gone)
    (root / "share/impactlab/installed").unlink()
    (root / "lib/needed").mkdir()
    ours = root / "bin/impactlab", root / "lib/impactlab/impactlab_hdf5.so", root / "lib/libimpactlab.so.0"
    for name, path in needed(*ours).items():
        shutil.copy(path, root / "lib/needed" / name)


def describe(folder, version):
    """The metadata; returns the wheel's name."""
    with open(HERE / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    tag = "py3-none-manylinux_%s_%s" % (platform.libc_ver()[1].replace(".", "_"), platform.machine())
    about = folder / ("impactlab-%s.dist-info" % version)
    scripts = folder / ("impactlab-%s.data/scripts" % version)
    about.mkdir()
    scripts.mkdir(parents=True)
    (scripts / "impactlab").write_text(COMMAND)
    (scripts / "impactlab").chmod(0o755)
    shutil.copy(TREE / "LICENSE", about)
    (about / "WHEEL").write_text("Wheel-Version: 1.0\nGenerator: impactlab\nRoot-Is-Purelib: false\nTag: %s\n" % tag)
    (about / "METADATA").write_text("".join("%s: %s\n" % field for field in [
        ("Metadata-Version", "2.1"), ("Name", project["name"]), ("Version", version), ("Summary", project["description"]),
        ("License", project["license"]["text"]), ("Requires-Python", project["requires-python"]),
        *(("Requires-Dist", one) for one in project["dependencies"])]))
    return "impactlab-%s-%s.whl" % (version, tag)


def pack(folder, wheel, version):
    """The archive, the same bytes for the same files."""
    record = "impactlab-%s.dist-info/RECORD" % version
    lines = []
    with zipfile.ZipFile(str(wheel) + ".part", "w", zipfile.ZIP_DEFLATED) as archive:
        def add(name, data, mode):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr, info.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            data, name = file.read_bytes(), file.relative_to(folder).as_posix()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            lines.append("%s,sha256=%s,%d\n" % (name, digest, len(data)))
            add(name, data, 0o755 if os.access(file, os.X_OK) else 0o644)
        add(record, "".join(lines) + record + ",,\n", 0o644)
    os.replace(str(wheel) + ".part", wheel)


def make(program, version, out):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        stage(program.resolve(), version, folder)
        name = describe(folder, version)
        out.mkdir(parents=True, exist_ok=True)
        pack(folder, out / name, version)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """For pip."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["make", "--no-print-directory", "wheel", "WHEELS=" + folder], cwd=TREE, check=True)
        made, = pathlib.Path(folder).glob("*.whl")
        shutil.copy(made, wheel_directory)
    return made.name


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit("wheel.py: PROGRAM VERSION FOLDER are needed")
    print(pathlib.Path(sys.argv[3]) / make(pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])))
