/**
 * examples/rollouts on the local cluster: one migration under load. The reliability suite runs the whole example.
 * @module-tag kubectl
 */
import { upgrade } from '../fixtures/rollout-migration/story.ts';
import { runStory } from '../fixtures/rollout-migration/run-story.ts';
import { openMigrationStand } from './rollout-migration-stand.ts';

runStory('a migration on the local cluster', [upgrade], openMigrationStand);
