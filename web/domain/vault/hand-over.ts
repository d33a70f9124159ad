import type { PickedFile } from './vault-picker.tsx'

/** Files chosen in the vault for the thread that opens next. In memory only: a reload leaves the message field empty. */
let waiting: { otherId: string; files: PickedFile[] } | undefined

/** @param otherId the other user of the thread. */
export function handOver(otherId: string, files: PickedFile[]): void {
  waiting = { otherId, files }
}

/** @returns the files that were handed over for this thread, once. */
export function takeHandedOver(otherId: string): PickedFile[] {
  const files = waiting?.otherId === otherId ? waiting.files : []
  waiting = undefined
  return files
}
