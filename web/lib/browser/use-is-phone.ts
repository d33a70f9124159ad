import { useMediaQuery } from '@mantine/hooks'
import { useContext } from 'react'
import { AssumedPhone } from './assumed-phone.ts'

/**
 * Whether the window is narrow enough (as in the style sheets) that the bottom bar has the icons. Only one bar renders,
 * because each has all of the links.
 */
export const useIsPhone: () => boolean = import.meta.env.SSR
  ? () => useContext(AssumedPhone)
  : () => useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
