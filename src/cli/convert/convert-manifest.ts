/** Converts the objects of one manifest; objects that need no conversion stay unchanged. Pure. */
import type { JsonObject } from '../../kube/object.ts';
import { type LocatedDocument, readDocuments } from '../../model/located-document.ts';
import type { Position, Problem } from '../../model/problem.ts';
import { asFields, asText, type Conversion, type Placed, type Remark } from './conversion.ts';
import { convertDeploymentConfig, isDeploymentConfig } from '../rollout/deployment-config.ts';
import {
  convertHook,
  convertSnapshot,
  isForeignHook,
  isHookedSnapshot,
} from '../snapshot/execution-hook.ts';

export interface ConvertedManifest {
  readonly documents: readonly JsonObject[];
  readonly problems: readonly Problem[];
  /** Number of objects that were converted. */
  readonly converted: number;
}

/** Maximum depth of lists within lists. */
const DEPTH_MAX = 4;

export function convertManifest(file: string, written: string): ConvertedManifest {
  const repaired = repairLists(file, written);
  const read = readDocuments(file, repaired.text, 'kubectl');
  const documents: JsonObject[] = [];
  const problems: Problem[] = [...repaired.problems, ...read.problems];
  let converted = 0;
  for (const document of read.documents) {
    for (const object of objectsIn({ value: asFields(document.value), path: [] })) {
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

/** The objects of the document; those of a list one by one. */
export function objectsIn(placed: Placed, depth: number = 0): readonly Placed[] {
  const { value, path } = placed;
  const { items } = value;
  if (Object.keys(value).length === 0) return [];
  if (!asText(value['kind']).endsWith('List') || !Array.isArray(items) || depth >= DEPTH_MAX) {
    return [placed];
  }
  return items.flatMap((item: unknown, index) =>
    objectsIn({ value: asFields(item), path: [...path, 'items', index] }, depth + 1),
  );
}

/** null: it needs no conversion. */
function convertObject(object: Placed): Conversion | null {
  if (isDeploymentConfig(object.value)) return convertDeploymentConfig(object);
  if (isForeignHook(object.value)) return convertHook(object);
  if (isHookedSnapshot(object.value)) return convertSnapshot(object);
  return null;
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
      'Converted are DeploymentConfigs, ExecutionHooks and their templates of other groups, VolumeSnapshots with executionHookInfos, skaffold.yaml, and hook files; this has none of them.',
    next: 'Name another file; an OpenShift Template goes through `oc process` first.',
  };
}

export interface Repaired {
  readonly text: string;
  readonly problems: readonly Problem[];
}

const POD = /^(\s*)-podName:\s*(\S+)\s*$/;
const CONTAINER = /^(\s*)-containerName:\s*(\S+)\s*$/;
/**
 * Repairs lists of pods in the design document's samples that are not valid YAML: `-podName: a` with indented lines
 * `-containerName: b` below. They are rewritten line by line, so that every line number stays. Pure.
 * Lines with a blank after the dash are lists, and stay. Worked example: `-podName: a` and `  -containerName: b` become
 * `- podName: a` and `  containerNames: [b]`.
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
    message: 'This is no list to YAML: it was read as a pod and the names of its containers.',
    next: 'Write "- podName: NAME", and below it "containerNames: [NAME]".',
  };
}
