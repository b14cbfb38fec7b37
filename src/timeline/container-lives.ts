/**
 * The lives of containers that had the same name one after the other: within one life no hook runs again, but for a
 * further attempt, and no stage comes after a later one. Pure.
 */
import { stages } from '../lifecycles/container/points.ts';
import type { Bar } from './bar.ts';

/** `bars`: of one name, in the order of their start. Each life with at least one of them. */
export function livesOf(bars: readonly Bar[]): Bar[][] {
  const lives: Bar[][] = [];
  let ran = new Set<string>();
  let reached = 0;
  for (const bar of bars) {
    const place = placeOf(bar);
    const hook = JSON.stringify([bar.point, bar.evidence?.['hook'], bar.attempt]);
    const life = lives.at(-1);
    if (life === undefined || place < reached || ran.has(hook)) {
      lives.push([bar]);
      ran = new Set();
    } else {
      life.push(bar);
    }
    ran.add(hook);
    reached = place;
  }
  return lives;
}

/** The end of a process and that of its container are told in any order. */
function placeOf({ point }: Bar): number {
  if (point === 'precreate') return -1;
  const place = stages.findIndex((stage) => stage === point);
  return place === -1 ? stages.length - 1 : place;
}
