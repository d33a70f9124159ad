import { useMediaQuery } from '@mantine/hooks'

/**
 * Whether the window is narrow enough (as in the style sheets) that the bottom bar has the icons. Only one bar renders,
 * because each has all of the links.
 */
export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
