import { vi } from 'vitest'

// The files of a worker share its document and the packages, which take longer to load than most files' tests. Our own modules each
// file has for itself: what one keeps in them (the session's client, what has been asked, said or seen) is not the next one's.
vi.resetModules()
