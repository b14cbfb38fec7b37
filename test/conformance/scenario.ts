/**
 * The terms of the suite. A scenario sends requests to an API server through a recorder. The recorder stores the
 * answers as exchanges, and replaces values that differ from run to run with names. The same scenario runs on both
 * servers, and the exchanges are compared one by one.
 */
import type { Json, JsonObject } from '../../src/kube/object.ts';
import type { Recorder } from './recorder.ts';

export interface Scenario {
  /** Resource (or area) and case: "core/v1/configmaps create". */
  readonly name: string;
  /** True: controllers act in the scenario's namespace. */
  readonly live?: boolean;
  run(api: Recorder): Promise<void>;
}

/** One request and its answer; for a watch, all of its events. */
export interface Exchange {
  /** Name of the step, unique within its scenario. */
  readonly step: string;
  /** Such as "POST /api/v1/namespaces/{ns}/configmaps?dryRun=All". */
  readonly request: string;
  readonly status: number;
  readonly type: string;
  readonly warnings: readonly string[];
  /** An object, a text, or the list of a watch's events. */
  readonly body: Json;
}

export interface Recording {
  readonly scenario: string;
  readonly exchanges: readonly Exchange[];
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** A string is sent unchanged. */
  readonly body?: JsonObject | readonly Json[] | string;
  readonly contentType?: string;
  readonly accept?: string;
}

/** The answer of the server without replacements, so that a scenario can use its values in the next request. */
export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}
