/** The methods of the event API over gRPC. For every other method the server answers UNIMPLEMENTED (12). */
import type { CancelSignal } from '../../../../platform/platform.ts';
import type { EventApi } from './api-service.ts';
import { encodeMessage } from './encode.ts';
import { MESSAGES } from './messages.ts';

/** Its answers, each one message. */
export type GrpcMethod = (signal: CancelSignal) => AsyncIterable<Uint8Array>;

/** By their paths. */
export function apiMethods(
  api: Pick<EventApi, 'state' | 'events'>,
): ReadonlyMap<string, GrpcMethod> {
  const state = (version: 1 | 2): GrpcMethod =>
    async function* answer() {
      yield encodeMessage(MESSAGES[version], 'State', api.state(version));
    };
  const events = (version: 1 | 2): GrpcMethod =>
    async function* answer(signal) {
      const name = version === 1 ? 'LogEntry' : 'Event';
      for await (const one of api.events(version, signal)) {
        yield encodeMessage(MESSAGES[version], name, one);
      }
    };
  return new Map([
    ['/proto.SkaffoldService/GetState', state(1)],
    ['/proto.SkaffoldService/Events', events(1)],
    ['/proto.SkaffoldService/EventLog', events(1)],
    ['/proto.v2.SkaffoldV2Service/GetState', state(2)],
    ['/proto.v2.SkaffoldV2Service/Events', events(2)],
  ]);
}
