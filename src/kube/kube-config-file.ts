/**
 * One kubeconfig file: its content, and the position of each part. The YAML parser is loaded on demand, since most
 * starts of the program read no kubeconfig.
 */
import { loadYaml } from '../model/yaml-text.ts';
import { LifehookError, type Position } from '../model/problem.ts';
import { refuseDeepYaml, YamlTooDeep } from '../model/yaml-nesting.ts';
import { errorText } from '../platform/error-text.ts';
import type { ByteText } from '../platform/platform.ts';
import type { JsonObject } from './object.ts';

export type FieldPath = readonly (string | number)[];

export interface KubeConfigFile {
  readonly path: string;
  readonly value: JsonObject;
  /** The position of the part, or of the nearest existing part around it. */
  positionOf(path: FieldPath): Position;
}

export async function parseKubeConfig(path: string, bytes: ByteText): Promise<KubeConfigFile> {
  const yaml = await loadYaml();
  const lineCounter = new yaml.LineCounter();
  const text = textOf(bytes);
  const placeOf = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(Math.min(offset, text.length));
    return { file: path, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  try {
    refuseDeepYaml(yaml, text, lineCounter.addNewLine);
  } catch (error) {
    if (error instanceof YamlTooDeep) throw notYaml(error.message, placeOf(error.offset));
    throw error;
  }
  const document = yaml.parseDocument(text, { prettyErrors: false });
  const [failure] = document.errors;
  if (failure !== undefined) throw notYaml(failure.message, placeOf(failure.pos[0]));
  const anchors = new Set<string>();
  yaml.visit(document, {
    Node: (_, node) => {
      if (!yaml.isAlias(node)) anchors.add(node.anchor ?? '');
      else if (!anchors.has(node.source))
        throw notYaml(
          `the alias ${node.source} has no anchor before it`,
          placeOf(node.range?.[0] ?? 0),
        );
    },
  });
  const value = expanded(document, (why) => notYaml(why, placeOf(0)));
  if (value !== null && (typeof value !== 'object' || Array.isArray(value))) {
    throw notYaml('it is no mapping', placeOf(0));
  }
  return {
    path,
    value: (value ?? {}) as JsonObject,
    positionOf: (fields) => {
      for (let length = fields.length; length > 0; length -= 1) {
        const node = document.getIn(fields.slice(0, length), true);
        if (yaml.isNode(node) && node.range) return placeOf(node.range[0]);
      }
      return placeOf(0);
    },
  };
}

/** Throws if the aliases would expand to too much. */
function expanded(
  document: { readonly toJS: () => unknown },
  failure: (why: string) => Error,
): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw failure(errorText(error));
  }
}

function textOf(bytes: ByteText): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

function notYaml(why: string, at: Position): LifehookError {
  return new LifehookError({
    code: 'LHK003',
    message: `A kubeconfig is a YAML mapping; this one cannot be read: ${why}.`,
    at,
    next: 'Correct the YAML at this position.',
  });
}
