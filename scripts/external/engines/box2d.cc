/*
 * box2d.cc - Box2D 2.4 (Debian: libbox2d-dev), single precision, as a scheme of `exec:`. Discs in the
 * plane, walls are edges; no friction, damping, sleeping or continuous detection, else the engine's
 * defaults: bounces above 1 (b2FixtureDef::restitutionThreshold), overlaps of 0.005 left alone. An
 * edge is as thick as b2_polygonRadius, and lies so much further out. Options:
 *
 *     velocity=8 position=3   sweeps, as Box2D's manual advises
 *     radius=1                of a body that the problem calls a point
 */
#include <box2d/box2d.h>

#include "adapter.h"

/* Edges go this many extents of the scene to each side: discs stay within. */
static const float REACH = 8.0f;

static b2Vec2 vector(const double *x) {
    return b2Vec2((float)x[0], (float)x[1]);
}

static void build(b2Body *ground, const adapter_wall &wall, double extent, double e) {
    double length = sqrt(wall.normal[0] * wall.normal[0] + wall.normal[1] * wall.normal[1]);
    b2Vec2 n((float)(wall.normal[0] / length), (float)(wall.normal[1] / length));
    b2Vec2 along = REACH * (float)extent * b2Vec2(-n.y, n.x);
    b2Vec2 middle = (float)(wall.offset / length - b2_polygonRadius) * n;
    b2EdgeShape edge;
    edge.SetTwoSided(middle - along, middle + along);
    b2FixtureDef fixture;
    fixture.shape = &edge;
    fixture.friction = 0;
    fixture.restitution = (float)e;
    ground->CreateFixture(&fixture);
}

static b2Body *create(b2World &world, const adapter_body &b, double e) {
    b2BodyDef definition;
    definition.type = b2_dynamicBody;
    definition.position = vector(b.x);
    definition.linearVelocity = vector(b.u);
    definition.allowSleep = false;
    definition.fixedRotation = true;
    b2Body *body = world.CreateBody(&definition);
    b2CircleShape disc;
    disc.m_radius = (float)b.r;
    b2FixtureDef fixture;
    fixture.shape = &disc;
    fixture.friction = 0;
    fixture.restitution = (float)e;
    fixture.density = 1;
    body->CreateFixture(&fixture);
    b2MassData mass = {(float)b.m, b2Vec2(0, 0), (float)b.m};
    body->SetMassData(&mass);
    return body;
}

int main(int argc, char **argv) {
    static const char keys[] = "velocity position radius";
    adapter a = adapter_read(2, adapter_option(argc, argv, "radius", 1.0, keys));
    b2World world(vector(a.gravity));
    int velocity = (int)adapter_option(argc, argv, "velocity", 8.0, keys);
    int position = (int)adapter_option(argc, argv, "position", 3.0, keys);
    world.SetAllowSleeping(false);
    world.SetContinuousPhysics(false);
    b2BodyDef still;
    b2Body *ground = world.CreateBody(&still);
    for (size_t k = 0; k < a.walls; k++) {
        build(ground, a.wall[k], a.extent, a.e);
    }
    b2Body **body = (b2Body **)adapter_allocate(a.bodies, sizeof *body);
    for (size_t i = 0; i < a.bodies; i++) {
        body[i] = create(world, a.body[i], a.e);
    }
    for (size_t n = 0; n < a.steps; n++) {
        for (size_t i = 0; i < a.bodies; i++) {
            body[i]->ApplyForceToCenter(vector(a.body[i].force), true);
        }
        world.Step((float)a.h, velocity, position);
        for (size_t i = 0; i < a.bodies; i++) {
            ADAPTER_PLANE(a.body[i], body[i]->GetPosition(), body[i]->GetLinearVelocity());
        }
        adapter_write(&a);
    }
    free(body);
    return adapter_end(&a);
}
