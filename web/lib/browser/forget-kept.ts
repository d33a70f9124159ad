const prefix = 'kept:'

/** The name of a user's cache (kept-data.ts). */
export const keptName = (userId?: string): string => prefix + userId

/** Deletes what this browser keeps for reading offline, of all users but this one (LOOP-22). */
export async function forgetKept(exceptUserId?: string): Promise<void> {
  try {
    for (const name of await caches.keys())
      if (name.startsWith(prefix) && name !== keptName(exceptUserId)) await caches.delete(name)
  } catch {
    // There are no caches on insecure addresses, and where storage is blocked.
  }
}
