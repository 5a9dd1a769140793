/*
 * lua_draw.h - figures and tables into the results folder. Not for use outside harness/lua_*.
 */
#ifndef IL_LUA_DRAW_H
#define IL_LUA_DRAW_H

#include "harness/lua_args.h"
#include "harness/plot.h"
#include "harness/table.h"

/* Draw into RESULTS/figures and push the path of the PNG; raises an error if it cannot be drawn. */
void il_lua_draw(lua_State *L, const char *call, const il_figure *figure);

/* Write into RESULTS/tables and push the path of the first format. */
void il_lua_tabulate(lua_State *L, const char *call, const il_table *table, unsigned formats);

/* The key formats, an array of txt, csv, tex; all where it is absent. */
unsigned il_lua_formats(const il_fields *f);

/* The key order: place in the report; 0 where it is absent. */
int il_lua_place(const il_fields *f);

#endif
