/** Reads the hooks that a claim asks for in its annotation CLAIM_HOOKS, as JSON or YAML. */
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import { loadYaml } from '../../../model/yaml-text.ts';
import { refuseDeepYaml } from '../../../model/yaml-nesting.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { ExecutionHookInfo } from '../kinds.ts';
import { CLAIM_HOOKS } from '../names.ts';
import type { ClaimFacts } from './plan.ts';
import { whyWrongInfos } from './check-spec.ts';

type ClaimHooks = Pick<ClaimFacts, 'infos' | 'infosProblem'>;

const NONE: ClaimHooks = { infos: [], infosProblem: null };

export async function readClaimHooks(claim: PersistentVolumeClaim | null): Promise<ClaimHooks> {
  const text = claim?.metadata?.annotations?.[CLAIM_HOOKS];
  if (text === undefined) return NONE;
  const where = `annotation ${CLAIM_HOOKS} of claim ${claim?.metadata?.name ?? ''}`;
  const yaml = await loadYaml();
  try {
    refuseDeepYaml(yaml, text);
    const value: unknown = yaml.parse(text);
    const problem = whyWrongInfos(where, value);
    return problem === null
      ? { infos: value as ExecutionHookInfo[], infosProblem: null }
      : { infos: [], infosProblem: problem };
  } catch (error) {
    const infosProblem = `${where} must hold a list of executionHookInfos as JSON or YAML: ${errorText(error)}`;
    return { infos: [], infosProblem };
  }
}
