/*
 * The allocator of JavaScript objects. With malloc alone, a program that runs for two milliseconds would spend a third
 * of its instructions there. Small pieces are cut from blocks, and freed ones are kept in one list for each size. Large
 * pieces come from malloc.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "quickjs.h"

#define STEP 16 /* Step between sizes; every piece starts at a multiple of it. */
#define SMALL_MAX 512
/* The first block is mapped without page faults (MAP_POPULATE). No program needs a second block during its start. */
#define BLOCK_BYTES (256 << 10)

/* The size of a piece is stored in front of it. A freed piece contains the pointer to the next free piece of its size.
 */
#define SIZE_OF(piece) (((size_t *)(piece))[-1])
#define NEXT_OF(piece) (*(void **)(piece))

static void *given_back[SMALL_MAX / STEP + 1];
static char *unused, *unused_end;

static void *cut(size_t size) {
  if ((size_t)(unused_end - unused) < sizeof(size_t) + size) {
    int how = MAP_PRIVATE | MAP_ANONYMOUS | (unused ? 0 : MAP_POPULATE);
    char *block = mmap(NULL, BLOCK_BYTES, PROT_READ | PROT_WRITE, how, -1, 0);
    if (block == MAP_FAILED) return NULL;
    unused = block + STEP - sizeof(size_t);
    unused_end = block + BLOCK_BYTES;
  }
  void *piece = unused + sizeof(size_t);
  unused += sizeof(size_t) + size;
  return piece;
}

static void *large(void *start) { return start ? (char *)start + STEP : NULL; }

/* Rounds up, so that a piece and the size in front of it together are a multiple of STEP bytes. */
static size_t rounded(size_t wanted) {
  return ((sizeof(size_t) + wanted + STEP - 1) & ~(size_t)(STEP - 1)) - sizeof(size_t);
}

static void *take(JSMallocState *state, size_t wanted) {
  size_t size = rounded(wanted);
  void *piece = size > SMALL_MAX ? NULL : given_back[size / STEP];
  if (piece) given_back[size / STEP] = NEXT_OF(piece);
  else piece = size > SMALL_MAX ? large(malloc(STEP + size)) : cut(size);
  if (!piece) return NULL;
  SIZE_OF(piece) = size;
  state->malloc_count++;
  state->malloc_size += size;
  return piece;
}

static void give_back(JSMallocState *state, void *piece) {
  if (!piece) return;
  size_t size = SIZE_OF(piece);
  state->malloc_count--;
  state->malloc_size -= size;
  if (size > SMALL_MAX) return free((char *)piece - STEP);
  NEXT_OF(piece) = given_back[size / STEP];
  given_back[size / STEP] = piece;
}

static void *change(JSMallocState *state, void *piece, size_t wanted) {
  if (!piece) return wanted ? take(state, wanted) : NULL;
  if (!wanted) return give_back(state, piece), NULL;
  size_t size = SIZE_OF(piece), new_size = rounded(wanted);
  if (size == new_size) return piece;
  if (size > SMALL_MAX && new_size > SMALL_MAX) {
    piece = large(realloc((char *)piece - STEP, STEP + new_size));
    if (!piece) return NULL;
    state->malloc_size += new_size - size;
    SIZE_OF(piece) = new_size;
    return piece;
  }
  void *moved = take(state, wanted);
  if (!moved) return NULL;
  memcpy(moved, piece, wanted < size ? wanted : size);
  give_back(state, piece);
  return moved;
}

static size_t size_of(const void *piece) { return piece ? SIZE_OF(piece) : 0; }

const JSMallocFunctions lifehook_memory = {take, give_back, change, size_of};
