/**
 * Exports the part of the local cluster that Lifehook uses.
 *
 * Lifehook may import only this file of the package; tests, benchmarks and generators may also import `testing.ts`.
 */

// The cluster, and its connection.
export { ensureKubernetesService } from './api/default-objects.ts';
export { apiService } from './api/front.ts';
export { kubeconfigText } from './api/kubeconfig.ts';
export { TokenBook } from './api/tokens.ts';
export { type LocalCluster, startLocalCluster } from './local-cluster.ts';
export { openObjectStore } from './storage/open-store.ts';

// Dependencies that the caller provides: workers for pods, and the runtime of OCI containers.
export type { PodWorkers } from './node/pod-worker.ts';
export {
  exitCodeOfMessage,
  type OciContainer,
  type OciContainers,
  otherFailure,
  runtimeRoot,
} from './runtime/oci-containers.ts';

// Containers and images.
export { type ImageStore, openImageStore, type StoredImage } from './images/image-store.ts';
export { imageUsers } from './runtime/oci-user.ts';
export { openOciRuntime } from './runtime/oci-runner.ts';
export { openProcessRuntime } from './runtime/process-runner.ts';
export { supervisorEnvironment, type RuntimeWorld } from './runtime/runtime-world.ts';

// Volume snapshots.
export { groupDefinitions, singleDefinitions } from './snapshots/crds/snapshot-definitions.ts';
export { Cutter } from './snapshots/storage/cutter.ts';
export { besideFolder, insideFolder } from './snapshots/storage/layout.ts';

// The API server's rules, for manifests that are checked without a server.
export { decodeScalar } from './objects/decode-scalar.ts';
export { decodeValue } from './objects/decode-value.ts';
export type { FieldError } from './objects/field-error.ts';
export { fieldErrorMessage } from './objects/field-error.ts';
export { builtinDefinitions } from './objects/kinds/definitions.ts';
export { validateMetadata } from './objects/metadata.ts';
export type { NameRule } from './objects/metadata-names.ts';
export { isJsonObject } from './objects/patch/json-value.ts';
export type { ResourceDefinition } from './objects/resource-definition.ts';
export { compileStructural } from './objects/structural/compile.ts';
export { hasRules, loadRuleEngine } from './objects/structural/rule-engine.ts';
export {
  everyKind,
  everyType,
  fieldSince,
  KNOWN_VERSIONS,
  versionsOf,
} from './objects/table/every-type.ts';
export type { MapNode, ScalarNode, StructNode, TypeNode } from './objects/type-node.ts';
