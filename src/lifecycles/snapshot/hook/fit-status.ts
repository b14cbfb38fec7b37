/** Keeps a status within its reserved size, by keeping each target within its share. Pure. */
import { storedBytes, storedTextBytes } from '../../../kube/stored-size.ts';
import type {
  ActionAttempt,
  ActionStatus,
  ContainerStatus,
  ExecutionHookStatus,
} from '../kinds.ts';
import { shorterOutput } from './kept-output.ts';
import { smallestTarget, withoutOutputs } from './smallest-form.ts';
import { type Described, RECORDS_BYTES, targetShares } from '../schema/status-budget.ts';

/** Bytes; an output that is cut to fewer bytes would say nothing, so it is left out. */
export const LEAST_OUTPUT_BYTES = 96;

/**
 * Makes a status fit into the size that the server stores. `before`: the targets of the stored status. A target that is
 * unchanged since then already fits.
 */
export function fitStatus(
  status: ExecutionHookStatus,
  { hook, before }: { readonly hook: Described; readonly before: readonly ContainerStatus[] },
): ExecutionHookStatus {
  const { containerExecutionHookStatuses: targets = [], resolved } = status;
  const changed = targets.filter((target, index) => target !== before[index]);
  // Each share is larger than RECORDS_BYTES. So most targets fit, and the shares need not be computed.
  const isLarge = changed.some((target) => storedBytes(target) > RECORDS_BYTES);
  if (!isLarge || resolved === undefined) return status;
  const shareOf = targetShares({ hook, resolved, targets });
  const within = targets.map((target, index) =>
    target === before[index] ? target : fitTarget(target, shareOf(target)),
  );
  return { ...status, containerExecutionHookStatuses: within };
}

/** Tries forms of decreasing size, and returns the first that fits, else the smallest form. */
export function fitTarget(target: ContainerStatus, bytesMax: number): ContainerStatus {
  if (storedBytes(target) <= bytesMax) return target;
  const shortened = withShorterOutputs(target, bytesMax);
  if (storedBytes(shortened) <= bytesMax) return shortened;
  const silent = withoutOutputs(target);
  return storedBytes(silent) <= bytesMax ? silent : smallestTarget(target);
}

/** Divides the bytes that are left for outputs into equal parts. */
function withShorterOutputs(target: ContainerStatus, bytesMax: number): ContainerStatus {
  const outputs = outputsOf(target);
  const bytes = outputs.reduce((sum, output) => sum + storedTextBytes(output), 0);
  const left = bytesMax - (storedBytes(target) - bytes);
  const part = Math.floor(left / Math.max(1, outputs.length));
  const shorten = (attempt: ActionAttempt): ActionAttempt => {
    const { output, ...rest } = attempt;
    if (output === undefined || part < LEAST_OUTPUT_BYTES) return rest;
    return { ...rest, output: shorterOutput(output, part) };
  };
  return withAttempts(target, shorten);
}

function outputsOf({ preActionStatus: pre, postActionStatus: post }: ContainerStatus): string[] {
  const attempts = [...(pre?.attempts ?? []), ...(post?.attempts ?? [])];
  return attempts.flatMap(({ output }) => output ?? []);
}

function withAttempts(
  target: ContainerStatus,
  change: (attempt: ActionAttempt) => ActionAttempt,
): ContainerStatus {
  const { preActionStatus: pre, postActionStatus: post } = target;
  const changed = (status: ActionStatus): ActionStatus =>
    status.attempts === undefined ? status : { ...status, attempts: status.attempts.map(change) };
  return {
    ...target,
    ...(pre === undefined ? {} : { preActionStatus: changed(pre) }),
    ...(post === undefined ? {} : { postActionStatus: changed(post) }),
  };
}
