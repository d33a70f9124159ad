import { createContext } from 'react'

/** Whether the server renders a page for a phone, or for a wide window: it can't measure. Browsers do. */
export const AssumedPhone = createContext(false)
