/** All built-in kinds of the local cluster. Custom kinds have their own definitions. */
import type { ResourceDefinition } from '../resource-definition.ts';
import { coreKinds } from './core/core-kinds.ts';
import { defineKind } from './define-kind.ts';
import { extensionKinds } from './extension/extension-kinds.ts';
import { inertKinds } from './inert/inert-kinds.ts';
import { pod } from './pod/pod.ts';
import { storageKinds } from './storage/storage-kinds.ts';
import { workloadKinds } from './workload/workload-kinds.ts';

let definitions: readonly ResourceDefinition[] | undefined;

export function builtinDefinitions(): readonly ResourceDefinition[] {
  definitions ??= [
    pod,
    ...coreKinds,
    ...workloadKinds,
    ...storageKinds,
    ...extensionKinds,
    ...inertKinds,
  ].map(defineKind);
  return definitions;
}
