/** A bar with an end to everything in it, whatever its source has written. Pure. */
import type { Bar } from './bar.ts';

/** UTF-16 units. */
const MAX_NAME = 300;
const MAX_SENTENCE = 2_000;
/** The last of an output stream, UTF-16 units: the whole tail is in the record that it comes from. */
const MAX_TAIL = 4_096;
const MAX_EVIDENCE = 24;

export function boundBar(bar: Bar): Bar {
  return {
    ...bar,
    id: bar.id.slice(0, MAX_NAME),
    lane: bar.lane.slice(0, MAX_NAME),
    run: bar.run.slice(0, MAX_NAME),
    point: bar.point.slice(0, MAX_NAME),
    name: bar.name.slice(0, MAX_NAME),
    ...(bar.reason === undefined ? {} : { reason: bar.reason.slice(0, MAX_SENTENCE) }),
    ...(bar.where === undefined ? {} : { where: bar.where.slice(0, MAX_NAME) }),
    ...(bar.next === undefined ? {} : { next: bar.next.slice(0, MAX_SENTENCE) }),
    ...(bar.stdout === undefined ? {} : { stdout: bar.stdout.slice(-MAX_TAIL) }),
    ...(bar.stderr === undefined ? {} : { stderr: bar.stderr.slice(-MAX_TAIL) }),
    ...(bar.evidence === undefined ? {} : { evidence: boundEvidence(bar.evidence) }),
  };
}

function boundEvidence(evidence: NonNullable<Bar['evidence']>): NonNullable<Bar['evidence']> {
  const entries = Object.entries(evidence).slice(0, MAX_EVIDENCE);
  return Object.fromEntries(
    entries.map(([name, value]) => [name.slice(0, MAX_NAME), value.slice(0, MAX_SENTENCE)]),
  );
}
