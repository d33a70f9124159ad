/**
 * One part of what the browser keeps for the app, under a prefix of its own. Storage may be blocked or full: nothing is kept then, and
 * nothing fails.
 * @param area a function, because with blocked storage its very name throws.
 */
export function browserStore(area: () => Storage, prefix: string) {
  const attempt = <Result>(work: (storage: Storage) => Result): Result | null => {
    try {
      return work(area())
    } catch {
      return null
    }
  }
  const ownerKey = `${prefix}@`
  const forgetAll = () =>
    void attempt((storage) => {
      for (const key of Object.keys(storage)) if (key.startsWith(prefix)) storage.removeItem(key)
    })

  return {
    read: (key: string) => attempt((storage) => storage.getItem(prefix + key)),
    write: (key: string, value: string) => void attempt((storage) => storage.setItem(prefix + key, value)),
    forget: (key: string) => void attempt((storage) => storage.removeItem(prefix + key)),
    forgetAll,
    /** From now on it is this person's: what another one left is forgotten. What was kept before anybody had signed in becomes theirs. */
    claim: (userId: string) =>
      void attempt((storage) => {
        if ((storage.getItem(ownerKey) ?? userId) !== userId) forgetAll()
        storage.setItem(ownerKey, userId)
      }),
  }
}
