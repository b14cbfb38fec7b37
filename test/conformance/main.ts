/**
 * `tsx test/conformance/main.ts [PATTERN]`: the suite, or those of its scenarios whose names match, on
 * the local server; exits 1 with what differs from the recording and has no reason.
 */
import process from 'node:process';

import { judgeLocal, reportedDifferences } from './judge.ts';

const [pattern = '.'] = process.argv.slice(2);
const verdict = await judgeLocal(new RegExp(pattern));
const { exchanges, identical, explained, unexplained } = verdict;
const lines = [
  ...reportedDifferences(unexplained),
  `${exchanges} exchanges, ${identical} identical, ` +
    `${explained.length} differences explained, ${unexplained.length} not`,
];
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = unexplained.length === 0 ? 0 : 1;
