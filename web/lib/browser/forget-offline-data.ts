const prefix = 'kept:'

/** The name of a user's cache (offline-data.ts). */
export const offlineCacheName = (userId?: string): string => prefix + userId

/** Deletes what this browser keeps for reading offline, of all users but this one (LOOP-22). */
export async function forgetOfflineData(exceptUserId?: string): Promise<void> {
  try {
    for (const name of await caches.keys())
      if (name.startsWith(prefix) && name !== offlineCacheName(exceptUserId)) await caches.delete(name)
  } catch {
    // There are no caches on insecure addresses, and where storage is blocked.
  }
}
