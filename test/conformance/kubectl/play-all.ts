/** Runs every transcript on one cluster. Transcripts run in parallel, except those that change the node. */
import process from 'node:process';

import { run } from '../../e2e/cluster-stand.ts';
import { playTranscript, type Stage } from './play-transcript.ts';
import { readTranscripts, recordAnswers } from './transcript-files.ts';
import { answerOf, type Side, type Transcript } from './transcript.ts';

const AT_A_TIME = 3;

/** Transcripts that change the node. They would affect pods of other transcripts. */
const ALONE: ReadonlySet<string> = new Set(['cordon', 'drain', 'taint']);

/** Taints that these transcripts add to the node. */
const TAINTS = ['example.com/kept', 'example.com/never'];

/** A transcript whose answers differ from the recorded answers, with the text of both. */
export interface Departure {
  readonly name: string;
  readonly expected: string;
  readonly received: string;
}

/** With LIFEHOOK_RECORD=1 it records the answers before it compares them. */
export async function playAll(side: Side, stage: Stage): Promise<readonly Departure[]> {
  const only = process.env['LIFEHOOK_TRANSCRIPTS']?.split(',');
  const all = [...readTranscripts()].filter(([name]) => only?.includes(name) ?? true);
  const answers = new Map<string, readonly (readonly string[])[]>();
  const play = async ([name, transcript]: readonly [string, Transcript]): Promise<void> => {
    const answer = await playTranscript(transcript, name, stage);
    answers.set(name, answer);
    if (process.env['LIFEHOOK_RECORD'] === '1') recordAnswers(name, side, answer);
  };
  const together = all.filter(([name]) => !ALONE.has(name));
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      for (let next = together.shift(); next !== undefined; next = together.shift()) {
        await play(next);
      }
    }),
  );
  try {
    for (const each of all.filter(([name]) => ALONE.has(name))) await play(each);
  } finally {
    await openNode(stage);
  }
  return departuresOf(side, answers);
}

/** Makes the node accept pods again, whatever the transcripts did, because others share the cluster. */
async function openNode({ kubectl: program, kubeconfig, node }: Stage): Promise<void> {
  const kubectl = (...args: readonly string[]): Promise<unknown> =>
    run(program, ['--kubeconfig', kubeconfig, ...args]);
  await kubectl('uncordon', node);
  for (const taint of TAINTS) await kubectl('taint', 'node', node, `${taint}-`);
}

function departuresOf(
  side: Side,
  answers: ReadonlyMap<string, readonly (readonly string[])[]>,
): readonly Departure[] {
  return [...readTranscripts()].flatMap(([name, { steps }]) => {
    const received = answers.get(name);
    if (received === undefined) return [];
    const text = (of: (index: number) => readonly string[]): string =>
      steps.map(({ command }, index) => [`$ ${command}`, ...of(index)].join('\n')).join('\n');
    const expected = text((index) => {
      const step = steps[index];
      return step === undefined ? [] : answerOf(step, side);
    });
    const departure = { name, expected, received: text((index) => received[index] ?? []) };
    return departure.expected === departure.received ? [] : [departure];
  });
}
