/**
 * `tsx test/conformance/main.ts [PATTERN]`: runs the suite, or its scenarios with matching names, on the local server.
 * Prints the differences from the recording that have no reason, and then exits with 1.
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
