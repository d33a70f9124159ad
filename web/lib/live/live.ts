/** Who is in a room, by the key under which they let themselves be seen: what each of their devices told. */
export type Present = Readonly<Record<string, readonly unknown[]>>

export type RoomListener = {
  onBroadcast(event: string, payload: unknown): void
  onPresent(present: Present): void
}

/** A private topic of realtime/v1 that has been entered. */
export type Room = {
  /** Tells the others; lost when the connection is down, or when the viewer may not say it. */
  broadcast(event: string, payload: object): void
  /** Lets the viewer be seen, as far as their settings allow; `null` ends it. */
  track(state: object | null): void
  leave(): void
}

/** Which changes: an empty filter stands for every row. */
export type Listened = {
  readonly table: string
  readonly filter: string
  readonly event: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
}

/** Live updates, wherever the socket is. */
export type Live = {
  /** Calls back after changes of rows that match and that the viewer may see, and after changes may have been missed. */
  listen(what: Listened, onChange: () => void): () => void
  /** @param key whom the viewer is to the others in the room. */
  enter(topic: string, key: string, listener: RoomListener): Room
}
