/**
 * Exports parts of the cluster for tests, benchmarks and generators of tables. The product must not import this file.
 */
export { ensureNamespaces } from './api/default-objects.ts';
export { metricsText } from './api/discovery/serve-discovery.ts';
export { openApiServer } from './api/open-api-server.ts';
export { builtinControllers } from './controllers/builtin.ts';
export type { ControllerContext } from './controllers/context.ts';
export { makeDeploymentController } from './controllers/deployment/deployment-controller.ts';
export { endpointSlices } from './controllers/endpoints/slices.ts';
export { makeGarbageCollector } from './controllers/garbage-collector/garbage-collector.ts';
export { makeNamespaceController } from './controllers/namespace/namespace.ts';
export { makeReplicaSetController } from './controllers/replicaset/replica-set-controller.ts';
export type { StoreWorld } from './images/store-folder.ts';
export { applyJsonPatch } from './objects/patch/json-patch.ts';
export { copyJson } from './objects/patch/json-value.ts';
export { applyMergePatch } from './objects/patch/merge-patch.ts';
export type { PatchResult } from './objects/patch/patch-result.ts';
export { applyStrategicMerge } from './objects/patch/strategic-merge.ts';
export { builtinType } from './objects/table/builtin-type.ts';
export { definitionNames } from './objects/table/builtin-type.ts';
export { REMOVED_PREFIX, removeFolder } from './runtime/kept-container.ts';
export { containersFolder } from './runtime/runtime-world.ts';
export { CLASS_NAME } from './snapshots/snapshotter.ts';
export { runSnapshotter } from './snapshots/snapshotter.ts';
export type { CutResult } from './snapshots/storage/cutter.ts';
export { ApiStand } from '../test/api-stand.ts';
