/** The 1.0.0 schema: version, hook{path,args,env,timeout}, when{…}, stages; conditions combine with AND. */
import type { OciHook } from '../points.ts';
import type { When } from './hook-file.ts';
import {
  fieldOf,
  readObjects,
  readOptionalBoolean,
  readOptionalInteger,
  readText,
  readTextList,
  readTextMap,
  type Decoder,
} from './json-fields.ts';
import type { JsonObject } from './json-text.ts';
import { requireStages, type HookParts } from './hook-parts.ts';

export function read100(decoder: Decoder, root: readonly JsonObject[]): HookParts | undefined {
  const hook = readHook(decoder, readObjects(decoder, fieldOf(root, 'hook', 'hook')));
  const when = readWhen(decoder, readObjects(decoder, fieldOf(root, 'when', 'when')));
  const stages = requireStages(decoder, readTextList(decoder, fieldOf(root, 'stages', 'stages')));
  return stages === undefined ? undefined : { schema: '1.0.0', hook, when, stages };
}

function readHook(decoder: Decoder, hook: readonly JsonObject[]): OciHook {
  const path = readText(decoder, fieldOf(hook, 'path', 'hook.path'));
  const args = readTextList(decoder, fieldOf(hook, 'args', 'hook.args'));
  const env = readTextList(decoder, fieldOf(hook, 'env', 'hook.env'));
  const timeout = readOptionalInteger(decoder, fieldOf(hook, 'timeout', 'hook.timeout'));
  return {
    path,
    // An empty argv is never intended; upstream drops it when it writes config.json, as "omitempty".
    ...(args !== undefined && args.length > 0 && { args }),
    ...(env !== undefined && { env }),
    ...(timeout !== undefined && { timeout }),
  };
}

function readWhen(decoder: Decoder, when: readonly JsonObject[]): When {
  const at = (key: string, name = key): ReturnType<typeof fieldOf> =>
    fieldOf(when, key, `when.${name}`);
  const always = readOptionalBoolean(decoder, at('always'));
  const annotations = readTextMap(decoder, at('annotations'));
  const commands = readTextList(decoder, at('commands'));
  const hasBindMounts = readOptionalBoolean(decoder, at('hasbindmounts', 'hasBindMounts'));
  return {
    combine: 'all',
    ...(always !== undefined && { always }),
    ...(annotations !== undefined && { annotations }),
    ...(commands !== undefined && { commands }),
    ...(hasBindMounts !== undefined && { hasBindMounts }),
  };
}
