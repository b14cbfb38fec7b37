/**
 * The existing hooks of a config.json, each with its position. A config.json that two
 * runtimes would read differently is refused, as by the splicer.
 */
import type { Source } from '../../../model/hook.ts';
import type { Position, Problem } from '../../../model/problem.ts';
import type { ByteText } from '../../../platform/platform.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';
import { locator } from '../hooksd/json-position.ts';
import { stages, type OciHook, type Stage } from '../points.ts';
import { checkOciHook } from './check-oci-hook.ts';
import { type ConfigObject, namedTwice, wrongKind, type UnplacedProblem } from './config-text.ts';
import { findHooks, soleMember } from './find-hooks.ts';
import { endOfValue, scanItems, scanMembers } from './json-scan.ts';

/** A hook and where it is defined: an entry of config.json, or a hooks.d file. */
export interface PlacedHook {
  readonly hook: OciHook;
  readonly source: Source;
}

export interface ConfiguredHooks {
  readonly hooks: Readonly<Partial<Record<Stage, readonly PlacedHook[]>>>;
  readonly problems: readonly Problem[];
}

export interface ConfigFile {
  /** Its path, for messages. */
  readonly file: string;
  readonly text: ByteText;
  readonly config: ConfigObject;
}

interface Reader extends ConfigFile {
  readonly locate: (offset: number) => Position;
  readonly problems: Problem[];
}

export function readConfiguredHooks(configFile: ConfigFile): ConfiguredHooks {
  const { file, text, config } = configFile;
  const reader: Reader = { ...configFile, locate: locator(file, text), problems: [] };
  const place = findHooks(text, Object.keys(config));
  const hooks: Partial<Record<Stage, readonly PlacedHook[]>> = {};
  if (place.kind === 'ambiguous') complain(reader, place.keyAt, namedTwice('hooks', place.key));
  if (place.kind !== 'present' || isNull(text, place.valueAt)) {
    return { hooks, problems: reader.problems };
  }
  if (text[place.valueAt] !== '{') complain(reader, place.valueAt, wrongKind('hooks', 'an object'));
  else {
    const members = scanMembers(text, place.valueAt);
    for (const stage of stages) {
      const member = soleMember(members, stage);
      if (member === null) continue;
      if ('ambiguous' in member) {
        complain(reader, member.ambiguous.keyAt, namedTwice(stage, member.ambiguous.key));
      } else hooks[stage] = readStage(reader, stage, member.valueAt);
    }
  }
  return { hooks, problems: reader.problems };
}

function readStage(reader: Reader, stage: Stage, valueAt: number): PlacedHook[] {
  const { text } = reader;
  if (isNull(text, valueAt)) return [];
  if (text[valueAt] !== '[') {
    complain(reader, valueAt, wrongKind(stage, 'a list'));
    return [];
  }
  return scanItems(text, valueAt).flatMap((at, index) => {
    const value: unknown = JSON.parse(decodeUtf8(text.slice(at, endOfValue(text, at))));
    const checked = checkOciHook(`${stage} hook #${index}`, value);
    if (checked.kind === 'hook') {
      return [{ hook: checked.hook, source: { kind: 'file', ...reader.locate(at) } }];
    }
    complain(reader, at, checked.problem);
    return [];
  });
}

function isNull(text: ByteText, at: number): boolean {
  return text.startsWith('null', at);
}

function complain(reader: Reader, offset: number, problem: UnplacedProblem): void {
  reader.problems.push({ ...problem, severity: 'error', at: reader.locate(offset) });
}
