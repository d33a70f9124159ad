import { type Location, parsePath } from 'react-router'
import type { AppHistory } from '../app/history.ts'

/** A history with these addresses, opened at the last. It navigates synchronously, and tests that share a document don't share it. */
export function openMemoryHistory(...addresses: string[]): AppHistory {
  const entries: Location[] = addresses.map((address, index) => ({
    pathname: '/',
    search: '',
    hash: '',
    ...parsePath(address),
    state: null,
    key: index === 0 ? 'default' : `entry-${index}`,
  }))
  let index = entries.length - 1
  let notify = () => {}
  return {
    get location() {
      return entries[index] as Location
    },
    push(location) {
      index += 1
      entries.splice(index, entries.length, location)
    },
    replace(location) {
      entries[index] = location
    },
    go(delta) {
      index = Math.min(Math.max(index + delta, 0), entries.length - 1)
      notify()
    },
    listen(listener) {
      notify = listener
    },
  }
}
