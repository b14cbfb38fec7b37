/** Converts the objects of one manifest; objects that need no conversion stay unchanged. Pure. */
import { fieldsAt } from '../../kube/fields.ts';
import type { JsonObject } from '../../kube/object.ts';
import { type LocatedDocument, readDocuments } from '../../model/located-document.ts';
import type { Position, Problem } from '../../model/problem.ts';
import { manifestConversions } from '../lifecycle-manifests.ts';
import {
  type Conversion,
  dropped,
  isNoMap,
  objectsIn,
  type Placed,
  type Remark,
} from './conversion.ts';

export interface ConvertedManifest {
  readonly documents: readonly JsonObject[];
  readonly problems: readonly Problem[];
  readonly converted: number;
}

export function convertManifest(file: string, written: string): ConvertedManifest {
  const repaired = repairLists(file, written);
  const read = readDocuments(file, repaired.text, 'kubectl');
  const documents: JsonObject[] = [];
  const leftOut = read.documents.filter(isNoMap).map((one) => located(NO_OBJECT, one));
  const problems: Problem[] = [...repaired.problems, ...read.problems, ...read.inexact, ...leftOut];
  let converted = 0;
  for (const document of read.documents) {
    for (const object of objectsIn({ value: fieldsAt(document.value), path: [] })) {
      const conversion = convertObject(object);
      if (conversion !== null) converted += 1;
      documents.push(...(conversion?.documents ?? [object.value as unknown as JsonObject]));
      problems.push(...(conversion?.remarks ?? []).map((one) => located(one, document)));
    }
  }
  if (converted === 0 && problems.every(({ severity }) => severity !== 'error')) {
    problems.push(nothingToConvert(file));
  }
  return { documents, problems, converted };
}

const NO_OBJECT: Remark = dropped([], 'Check that nothing is lost: it is no object.');

/** null: the object needs no conversion. */
function convertObject(object: Placed): Conversion | null {
  const all = Object.values(manifestConversions).flat();
  return all.find(({ isConvertible }) => isConvertible(object.value))?.convert(object) ?? null;
}

function located({ path, ...problem }: Remark, document: LocatedDocument): Problem {
  return { ...problem, at: document.positionOf(path) };
}

function nothingToConvert(file: string): Problem {
  return {
    code: 'LHG062',
    severity: 'error',
    at: { file, line: 1, column: 1 },
    message:
      'There is nothing to convert: the file is no skaffold.yaml or hook file. It has no DeploymentConfig, no VolumeSnapshot with executionHookInfos, and no ExecutionHook or ExecutionHookTemplate of another API group.',
    next: 'Name another file; run `oc process` on an OpenShift Template first.',
  };
}

export interface Repaired {
  readonly text: string;
  readonly problems: readonly Problem[];
}

const POD = /^(\s*)-podName:\s*(\S+)\s*$/;
const CONTAINER = /^(\s*)-containerName:\s*(\S+)\s*$/;
/**
 * Repairs lists of pods in the samples of the design document that are not valid YAML. In them a line `-podName: a` is
 * followed by an indented line `-containerName: b`. They become `- podName: a` and `containerNames: [b]`. Each line is
 * rewritten in its place, so that every line number stays. A line with a blank after the dash is a valid list item, and
 * stays unchanged. Pure.
 */
function repairLists(file: string, text: string): Repaired {
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
    message:
      'YAML reads this as a string, not as a list: it was converted to the name of a pod and the names of its containers.',
    next: 'Write "- podName: NAME", and below it "containerNames: [NAME]".',
  };
}
