/**
 * The design document's samples write lists of pods in a way that is no YAML: `-podName: a` with indented lines
 * `-containerName: b` below. They are given the form that is meant, line by line, so that every place stays. Pure.
 */
import type { Position, Problem } from '../../model/problem.ts';

export interface Repaired {
  readonly text: string;
  readonly problems: readonly Problem[];
}

const POD = /^(\s*)-podName:\s*(\S+)\s*$/;
const CONTAINER = /^(\s*)-containerName:\s*(\S+)\s*$/;
/**
 * Lines with a blank after the dash are lists, and stay. Worked example: `-podName: a` and `  -containerName: b` become
 * `- podName: a` and `  containerNames: [b]`.
 */
export function repairLists(file: string, text: string): Repaired {
  const lines = text.split('\n');
  const problems: Problem[] = [];
  let indent = '';
  const repaired = lines.map((line, index) => {
    const [, podIndent, pod = ''] = POD.exec(line) ?? [];
    if (podIndent !== undefined) {
      indent = podIndent;
      problems.push(remark({ file, line: index + 1, column: podIndent.length + 1 }));
      return `${indent}- podName: ${pod}`;
    }
    const name = CONTAINER.exec(line)?.[2];
    if (name === undefined) return line;
    const isFirst = !CONTAINER.test(lines[index - 1] ?? '');
    const isLast = !CONTAINER.test(lines[index + 1] ?? '');
    return `${indent}  ${isFirst ? 'containerNames: [' : '  '}${name}${isLast ? ']' : ','}`;
  });
  return { text: repaired.join('\n'), problems };
}

function remark(at: Position): Problem {
  return {
    code: 'LHG061',
    severity: 'warning',
    at,
    message: 'This is no list to YAML: it was read as a pod and the names of its containers.',
    next: 'Write "- podName: NAME", and below it "containerNames: [NAME]".',
  };
}
