/** What one connection may do. A connection that does more is told why and closed; the others don't notice. */
export const limits = {
  /** Largest frame, in bytes. */
  maxFrameBytes: 1024 * 1024,
  maxChannelsPerConnection: 100,
  maxBindingsPerChannel: 50,
  /** Frames a second in the long run, and at once. */
  framesPerSecond: 100,
  framesAtOnce: 300,
  /** Bytes that may wait for a reader that is too slow. */
  maxUnsentBytes: 8 * 1024 * 1024,
  /** Clients send a heartbeat every 25 seconds; one that misses two is gone. */
  silentMs: 75_000,
  /** How long a join waits for the log to be followed; clients give up after 10 s. */
  joinWaitMs: 8_000,
  maxTopicLength: 255,
  /** Of what a client tells of itself, and of what it asks for when it joins, in characters of JSON: it is kept. */
  maxPresenceLength: 16 * 1024,
  maxJoinLength: 128 * 1024,
  /** Of a row that is told, in characters of JSON. */
  maxRecordLength: 1024 * 1024,
  /** Of a regular expression in a filter. */
  maxPatternLength: 200,
} as const
