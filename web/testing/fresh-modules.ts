import { vi } from 'vitest'

// The files of a worker share its document and the packages, which take longer to load than most files' tests. Our own modules are
// loaded for each file, so that their state (the session's client, requests, toasts) doesn't leak into the next one.
vi.resetModules()
