/** `1024 ** 3` → `"1 GB"`: for limits in messages. */
export const formatLimit = (bytes: number): string =>
  bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3} GB` : `${Math.round(bytes / 1024 ** 2)} MB`
