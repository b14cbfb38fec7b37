/** Warnings about valid objects: the proposal's other spellings, and likely mistakes. */
import { fieldOf } from '../../../controller/definitions/field-problem.ts';
import type {
  HookAction,
  ApplicationSnapshotSpec,
  ExecutionHookInfo,
  ExecutionHookSpec,
  HookActions,
  SnapshotGuardSpec,
} from '../kinds.ts';
import { DEFAULT_ACTION_TIMEOUT_SECONDS } from '../names.ts';
import { handlersOf } from './check-action.ts';
import { targetWarnings } from './check-targets.ts';

export function hookWarnings(spec: ExecutionHookSpec): string[] {
  return [...targetWarnings('spec', spec), ...actionsWarnings('spec', spec)];
}

export function snapshotWarnings({ executionHookInfos = [] }: ApplicationSnapshotSpec): string[] {
  return infosWarnings(executionHookInfos);
}

export function guardWarnings({ executionHookInfos }: SnapshotGuardSpec): string[] {
  return infosWarnings(executionHookInfos);
}

function infosWarnings(executionHookInfos: readonly ExecutionHookInfo[]): string[] {
  return executionHookInfos.flatMap((info, index) =>
    targetWarnings(`spec.executionHookInfos[${index}]`, info),
  );
}

/** Warnings about actions. `field`: the path of the actions, '' in a template. */
export function actionsWarnings(field: string, actions: HookActions): string[] {
  const { preAction, postAction, expirationTimeSeconds } = actions;
  const alias = fieldOf(field, 'expirationTimeSeconds');
  return [
    ...(expirationTimeSeconds === undefined ? [] : [`${alias}: read as expirationSeconds`]),
    ...expirationWarnings(field, actions),
    ...(preAction === undefined ? [] : actionWarnings(fieldOf(field, 'preAction'), preAction)),
    ...(postAction === undefined ? [] : actionWarnings(fieldOf(field, 'postAction'), postAction)),
  ];
}

function actionWarnings(field: string, action: HookAction): string[] {
  const { tcpSocket } = handlersOf(action);
  return [
    ...(action.action === undefined
      ? []
      : [`${field}.action: its handler is used as the handler of ${field}; write it there`]),
    ...(tcpSocket === undefined
      ? []
      : [
          `${field}.tcpSocket: it checks that the port accepts connections, and neither freezes nor thaws`,
        ]),
  ];
}

function expirationWarnings(field: string, actions: HookActions): string[] {
  const { preAction, expirationSeconds, expirationTimeSeconds } = actions;
  const seconds = expirationSeconds ?? expirationTimeSeconds;
  const needed = preAction?.actionTimeoutSeconds ?? DEFAULT_ACTION_TIMEOUT_SECONDS;
  if (preAction === undefined || seconds === undefined || seconds > needed) return [];
  const at = fieldOf(field, 'expirationSeconds');
  return [
    `${at}: the preAction alone may take ${needed} seconds, so the thaw may begin before anything is cut`,
  ];
}
