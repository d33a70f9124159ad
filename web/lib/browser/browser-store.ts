/**
 * A part of the browser's storage, under a prefix. If storage is blocked or full, it stores nothing, and
 * nothing fails.
 * @param area a function, because merely naming blocked storage throws.
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
    /** Assigns the data to this user. Deletes another user's data; data from before any sign-in becomes this user's. */
    claim: (userId: string) =>
      void attempt((storage) => {
        if ((storage.getItem(ownerKey) ?? userId) !== userId) forgetAll()
        storage.setItem(ownerKey, userId)
      }),
  }
}
