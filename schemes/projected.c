/*
 * projected.c - velocities projected as by Moreau and Jean, then positions projected too, over
 * both levels until neither changes, after the combined projection of Acary (2013, Comput. Methods
 * Appl. Mech. Eng. 256, 224; Siconos, TimeSteppingCombinedProjection):
 *
 *     u_{n+1} = P^M_V (u_n + h M^{-1} fbar_n(q_n)),
 *     V = { v : d_t g_i + <grad g_i, v> >= -e (d_t g_i + <grad g_i, u_n>), i in I },
 *     q_{n+1} = the point of Q(t_{n+1}) nearest to q_n + h u_{n+1},
 *
 * rows at (t_{n+1}, q_n). I begins with the contacts that the free motion would close; contacts
 * that
 * only the second projection needs are added to it, and both are made again, until there are none.
 * Nodes are feasible, whatever the constraints; what moves positions leaves velocities alone. The
 * paper projects positions over the contacts that pushed; here it is over all, which is the same
 * where these two levels agree.
 */
#include <string.h>

#include "schemes/stepping/true_set.h"
#include "schemes/stepping/velocity.h"

/* I is base.rows. */
typedef struct {
    il_velocity base;
    il_true_set *set;
} projected;

static void destroy(void *self) {
    projected *s = self;
    if (s != NULL) {
        il_true_set_destroy(s->set);
    }
    il_velocity_destroy(self);
}

static il_status create(void **self, const il_problem *problem, const il_scheme_options *options,
                        il_error *err) {
    il_status status = il_velocity_create(self, sizeof(projected), problem, options, err);
    if (status == IL_OK) {
        void *set = NULL;
        status = il_true_set_create(&set, problem, options, err);
        ((projected *)*self)->set = set;
    }
    if (status != IL_OK && *self != NULL) {
        destroy(*self);
        *self = NULL;
    }
    return status;
}

static bool contains(const il_rows *rows, size_t id) {
    for (size_t i = 0; i < rows->p; i++) {
        if (rows->id[i] == id) {
            return true;
        }
    }
    return false;
}

/* u_{n+1} over the contacts I, into u[d]. */
static il_status velocities(il_velocity *w, double t, const il_state *in, double *u,
                            il_certificate *worst, il_step_report *report, il_error *err) {
    for (size_t i = 0; i < w->rows.p; i++) {
        w->speed[i] = 0.0;
        w->lambda[i] = 0.0;
    }
    il_tangent_take(w->tangent, &w->rows, w->speed, 1.0); /* all of them */
    il_status status =
        il_tangent_solve(w->tangent, t, w->problem->restitution, in->u, w->v, u, report, err);
    if (status == IL_OK) {
        il_velocity_add(w, report, 1.0);
        il_certificate_worsen(worst, &report->certificate);
    }
    return status;
}

/* q_{n+1} from u_{n+1}, into q[d]. */
static il_status positions(projected *s, double t, double h, const il_state *in, const double *u,
                           double *q, il_certificate *worst, il_step_report *report,
                           il_error *err) {
    il_linear *linear = &s->set->linear;
    for (size_t k = 0; k < linear->problem->d; k++) {
        linear->v[k] = h * u[k];
    }
    il_status status = il_true_set_project(s->set, t, in->q, report, err);
    for (size_t k = 0; status == IL_OK && k < linear->problem->d; k++) {
        q[k] = in->q[k] + linear->x[k];
    }
    if (status == IL_OK) {
        il_certificate_worsen(worst, &report->certificate);
    }
    return status;
}

/* Contacts that held the position, and that u[d] approaches, join I. *added says whether any did;
 * pushed: the report of the position. */
static il_status join(il_velocity *w, double t, const il_state *in, const double *u,
                      const il_step_report *pushed, bool *added, il_error *err) {
    il_status status = IL_OK;
    *added = false;
    for (size_t i = 0; status == IL_OK && i < pushed->rows->p; i++) {
        double speed = pushed->rows->rate[i] + il_rows_dot(pushed->rows, i, u);
        size_t id = pushed->rows->id[i];
        if (pushed->lambda[i] > 0.0 && speed < 0.0 && !contains(&w->rows, id)) {
            status = w->problem->type->row(w->problem, t, in->q, id, &w->rows);
            *added = true;
        }
    }
    if (status != IL_OK) {
        return il_fail(err, status, "a contact could not be computed at t = %.10g", t);
    }
    il_velocity_reserve(w);
    return IL_OK;
}

static il_status step(void *self, double t0, double t1, const il_state *in, il_state *out,
                      il_step_report *report, il_error *err) {
    projected *s = self;
    il_velocity *w = self;
    double h = t1 - t0;
    bool again = true;
    il_certificate worst = il_certificate_best();
    il_status status = il_velocity_closing(w, t0, t1, in, report, err);
    while (status == IL_OK && again) {
        worst = il_certificate_best();
        status = velocities(w, t1, in, out->u, &worst, report, err);
        if (status == IL_OK) {
            status = positions(s, t1, h, in, out->u, out->q, &worst, report, err);
        }
        if (status == IL_OK) {
            status = join(w, t1, in, out->u, report, &again, err);
        }
    }
    il_velocity_report(w, h, &worst, report);
    return status;
}

static const il_claim claims[] = {{.norm = NULL}};

const il_scheme_type il_scheme_projected = {
    .name = "projected",
    .title = "velocity scheme of Moreau and Jean whose positions are projected too",
    .statement =
        "u_{n+1} = P_V (u_n + h M^-1 fbar_n(q_n)),\n"
        "V = { v : d_t g_i + <grad g_i, v> >= -e (d_t g_i + <grad g_i, u_n>) for i in I },\n"
        "q_{n+1} = the point of Q(t_{n+1}) nearest to q_n + h u_{n+1}, rows at (t_{n+1}, q_n).\n"
        "I begins with the contacts that the free motion would close; contacts that hold the\n"
        "position and are still approached join it, and both lines are repeated.\n"
        "Nodes are feasible, also with restitution. What moves positions leaves velocities\n"
        "alone. Newton's restitution, contact by contact: several contacts with e > 0 have no\n"
        "limit, as with moreau_jean.",
    .source = "Acary 2013, combined projection; Siconos, TimeSteppingCombinedProjection",
    .orders = 2u,
    .restitution = true,
    .holds_positions = true,
    .feasible_nodes = true,
    .claims = claims,
    .create = create,
    .step = step,
    .destroy = destroy};
