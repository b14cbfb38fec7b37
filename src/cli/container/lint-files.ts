import type { Problem } from '../../model/problem.ts';
import type { Inputs } from '../lint/find-inputs.ts';
import { hookFileProblems } from './lint.ts';

export async function problemsOfFiles({ hooks }: Inputs): Promise<readonly Problem[]> {
  return hooks.size > 0 ? hookFileProblems([...hooks], {}) : [];
}
