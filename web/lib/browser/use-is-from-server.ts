import { useSyncExternalStore } from 'react'

/** True while a part renders on the server, and while a browser takes over what the server has rendered, which must look the same. */
export const useIsFromServer = (): boolean =>
  useSyncExternalStore(
    () => () => undefined,
    () => false,
    () => true,
  )
