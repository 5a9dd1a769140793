/*
 * mujoco.c - MuJoCo 2.2 (Debian: libmujoco-dev) as a scheme of `exec:`. Spheres on free joints (a slide
 * joint's contact has a third of the mobility: MuJoCo takes the mean over three axes), walls are
 * planes; contacts without friction (condim 1), else the engine's defaults: semi-implicit Euler,
 * Newton's method, solref .02 1, solimp .9 .95 .001 .5 2. Contacts are soft, and have no restitution:
 * a problem with e > 0 is refused. Options:
 *
 *     time=0.02 zeta=1   solref
 *     radius=1           of a body that the problem calls a point
 */
#include <mujoco/mujoco.h>

#include "adapter.h"

/* The model as MuJoCo's XML, into text. */
static void describe(const adapter *a, FILE *text, double time, double zeta) {
    const double *g = a->gravity;
    (void)fprintf(text,
                  "<mujoco><option timestep='%.17g' gravity='%.17g %.17g %.17g'/>"
                  "<size njmax='%zu' nconmax='%zu'/>"
                  "<default><geom condim='1' solref='%.17g %.17g'/></default><worldbody>",
                  a->h, g[0], g[1], g[2], 64 + 16 * a->bodies, 64 + 16 * a->bodies, time, zeta);
    for (size_t k = 0; k < a->walls; k++) {
        const double *n = a->wall[k].normal;
        double o = a->wall[k].offset / (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        (void)fprintf(
            text,
            "<geom type='plane' size='0 0 1' pos='%.17g %.17g %.17g' zaxis='%.17g %.17g %.17g'/>",
            o * n[0], o * n[1], o * n[2], n[0], n[1], n[2]);
    }
    for (size_t i = 0; i < a->bodies; i++) {
        const adapter_body *b = &a->body[i];
        (void)fprintf(text,
                      "<body pos='%.17g %.17g %.17g'><freejoint/>"
                      "<geom type='sphere' size='%.17g' mass='%.17g'/></body>",
                      b->x[0], b->x[1], b->x[2], b->r, b->m);
    }
    (void)fprintf(text, "</worldbody></mujoco>");
}

static mjModel *compile(const adapter *a, double time, double zeta) {
    static mjVFS files;
    char error[1000] = "";
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL) {
        adapter_refuse("out of memory");
    }
    describe(a, stream, time, zeta);
    (void)fclose(stream);
    mj_defaultVFS(&files);
    if (mj_makeEmptyFileVFS(&files, "model.xml", (int)length) != 0) {
        adapter_refuse("MuJoCo takes no model of %zu bytes", length);
    }
    memcpy(files.filedata[mj_findFileVFS(&files, "model.xml")], text, length);
    free(text);
    mjModel *model = mj_loadXML("model.xml", &files, error, sizeof error);
    if (model == NULL) {
        adapter_refuse("MuJoCo: %s", error);
    }
    mj_deleteVFS(&files);
    return model;
}

int main(int argc, char **argv) {
    static const char keys[] = "time zeta radius";
    adapter a = adapter_read(3, adapter_option(argc, argv, "radius", 1.0, keys));
    if (a.e > 0.0) {
        adapter_refuse("e = %g; MuJoCo's contacts have no restitution", a.e);
    }
    mjModel *model = compile(&a, adapter_option(argc, argv, "time", 0.02, keys),
                             adapter_option(argc, argv, "zeta", 1.0, keys));
    mjData *data = mj_makeData(model);
    for (size_t i = 0; i < a.bodies; i++) {
        memcpy(data->qvel + 6 * i, a.body[i].u, sizeof a.body[i].u);
        memcpy(data->xfrc_applied + 6 * (i + 1), a.body[i].force, sizeof a.body[i].force);
    }
    for (size_t n = 0; n < a.steps; n++) {
        mj_step(model, data);
        for (size_t i = 0; i < a.bodies; i++) {
            memcpy(a.body[i].x, data->qpos + 7 * i, sizeof a.body[i].x);
            memcpy(a.body[i].u, data->qvel + 6 * i, sizeof a.body[i].u);
        }
        adapter_write(&a);
    }
    mj_deleteData(data);
    mj_deleteModel(model);
    return adapter_end(&a);
}
