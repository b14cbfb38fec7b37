/**
 * Corrects the container's state that a hook gets on stdin. runc and crun fill it differently, and deviate from the
 * specification (runtime.md "State"). A correct state is passed on byte for byte.
 *
 * - prestart, createRuntime, createContainer: `status` is creating or created.
 * - createContainer: `pid` is 1, as the container itself sees it (crun sets 0).
 * - poststart: `status` is running (runc up to 1.1 sets created; crun runs the hook too early).
 * - poststop: `status` is stopped, and `pid` is absent (crun sets 0).
 */
import type { ByteText } from '../../../platform/platform.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';
import { isObject, type ConfigObject } from '../config/config-text.ts';
import type { RunnerStage } from './hook-command.ts';

export interface HookState {
  /** The text that the hook reads. */
  readonly text: string;
  /** "" if the state does not contain it. */
  readonly containerId: string;
  readonly bundle: string;
}

export function hookState(bytes: ByteText, stage: RunnerStage): HookState {
  const text = decodeUtf8(bytes);
  const state = parse(text);
  if (state === null) return { text, containerId: '', bundle: '' };
  const right = putRight(state, stage);
  const { id, bundle } = state;
  return {
    text: right === state ? text : JSON.stringify(right),
    containerId: typeof id === 'string' ? id : '',
    bundle: typeof bundle === 'string' ? bundle : '',
  };
}

/** null: the text is no JSON object; such a text is not corrected. */
function parse(text: string): ConfigObject | null {
  try {
    const state: unknown = JSON.parse(text);
    return isObject(state) ? state : null;
  } catch {
    return null;
  }
}

/** Returns the same object if there is nothing to correct. */
function putRight(state: ConfigObject, stage: RunnerStage): ConfigObject {
  switch (stage) {
    case 'prestart':
    case 'createRuntime':
      return withStatus(state, ['creating', 'created']);
    case 'createContainer': {
      const right = withStatus(state, ['creating', 'created']);
      return hasPid(right) ? right : { ...right, pid: containerInitPid };
    }
    case 'poststart':
      return withStatus(state, ['running']);
    case 'precreate':
    case 'postexit':
      // The wrapper itself writes the input of these hooks.
      return state;
    case 'poststop':
      return withoutPid(withStatus(state, ['stopped']));
    default:
      return stage satisfies never;
  }
}

function withoutPid(state: ConfigObject): ConfigObject {
  if (hasPid(state) || state['pid'] === undefined) return state;
  const { pid: _none, ...rest } = state;
  return rest;
}

const containerInitPid = 1;

function hasPid({ pid }: ConfigObject): boolean {
  return typeof pid === 'number' && pid > 0;
}

function withStatus(state: ConfigObject, [first, ...others]: [string, ...string[]]): ConfigObject {
  const { status } = state;
  if (status === first || others.some((other) => other === status)) return state;
  return { ...state, status: first };
}
