/** Selects the next fault: in the order that a test gives, or at random from a seed. */
export type RequestFault =
  /** The connection breaks before any answer. */
  | 'reset'
  /** `unavailable` is 503 and `tooMany` is 429, each with Retry-After. */
  | 'unavailable'
  | 'tooMany'
  | 'broken'
  | 'late'
  /** 410 as the answer to a watch, or to a list request for a page after the first one. */
  | 'expired'
  /** The watch starts at a resourceVersion that the server has compacted, so the server itself answers 410. */
  | 'forgotten'
  /** The body of a list is truncated. */
  | 'cutBody'
  /** 422 for a watch list. */
  | 'refusedList';

export type LineFault =
  | 'delay'
  | 'duplicate'
  /** Repeats all events of this watch so far. */
  | 'replay'
  | 'resetMidLine'
  /** Half an event, then a clean end of the stream. */
  | 'truncate'
  | 'cut'
  /** Forwards nothing more, but keeps the connection open. */
  | 'stall'
  | 'expiredEvent'
  | 'garbage'
  /** Does not forward the bookmark that ends the initial events. */
  | 'lostBookmark';

export type Fault = RequestFault | LineFault;

export interface RequestAbout {
  /** The request is a watch that starts at a resourceVersion. */
  readonly resumes: boolean;
  readonly watchList: boolean;
  /** The request is for a page after the first page of a list. */
  readonly page: boolean;
}

export interface FaultSource {
  request(about: RequestAbout): RequestFault | null;
  /** `endsList`: the event is the bookmark that ends the initial events. */
  line(about: { readonly endsList: boolean }): LineFault | null;
}

/** Numbers from 0 (included) to 1 (excluded); the same seed gives the same numbers. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const ON_ANY: readonly RequestFault[] = ['reset', 'unavailable', 'tooMany', 'broken', 'late'];
const ON_LINES: readonly LineFault[] = [
  'delay',
  'duplicate',
  'replay',
  'resetMidLine',
  'truncate',
  'cut',
  'stall',
  'expiredEvent',
  'garbage',
];

/** `rate`: probability, from 0 to 1, that a request or an event gets a fault. */
export function faultDice(random: () => number, rate: number): FaultSource {
  const roll = <T>(from: readonly T[]): T | null =>
    random() < rate ? (from[Math.floor(random() * from.length)] ?? null) : null;
  return {
    request: ({ resumes, watchList, page }) => {
      if (watchList) return roll<RequestFault>([...ON_ANY, 'refusedList']);
      if (resumes) return roll([...ON_ANY, 'expired', 'forgotten']);
      return roll<RequestFault>(page ? [...ON_ANY, 'cutBody', 'expired'] : [...ON_ANY, 'cutBody']);
    },
    line: ({ endsList }) => roll(endsList ? [...ON_LINES, 'lostBookmark'] : ON_LINES),
  };
}

/** Every fault, in no particular order. */
export const ALL_FAULTS: readonly Fault[] = [
  ...ON_ANY,
  'expired',
  'forgotten',
  'cutBody',
  'refusedList',
  ...ON_LINES,
  'lostBookmark',
];

/** Injects `first` once, at the first opportunity. The source `then` selects all other faults, also before that. */
export function firstThen(first: Fault, then: FaultSource): FaultSource {
  const ordered = new OrderedFaults();
  // `cutBody` needs a list request. A client sends one only after its watch list was refused.
  if (first === 'cutBody') ordered.order('refusedList');
  ordered.order(first);
  return {
    request: (about) => ordered.request(about) ?? then.request(about),
    line: (about) => ordered.line(about) ?? then.line(about),
  };
}

const FITS: Readonly<Record<string, (about: RequestAbout) => boolean>> = {
  expired: ({ resumes, page }) => resumes || page,
  forgotten: ({ resumes }) => resumes,
  refusedList: ({ watchList }) => watchList,
  cutBody: ({ resumes, watchList }) => !resumes && !watchList,
};

/** Injects each fault given to `order` once, at the first opportunity, in the order of these calls. */
export class OrderedFaults implements FaultSource {
  readonly #waiting: Fault[] = [];

  order(fault: Fault): void {
    this.#waiting.push(fault);
  }

  request(about: RequestAbout): RequestFault | null {
    const [next] = this.#waiting;
    const fits = FITS[next ?? ''] ?? ((): boolean => ON_ANY.some((one) => one === next));
    if (!fits(about)) return null;
    return (this.#waiting.shift() as RequestFault | undefined) ?? null;
  }

  line({ endsList }: { readonly endsList: boolean }): LineFault | null {
    const [next] = this.#waiting;
    const fits = (next === 'lostBookmark' && endsList) || ON_LINES.some((one) => one === next);
    if (!fits) return null;
    return (this.#waiting.shift() as LineFault | undefined) ?? null;
  }
}
