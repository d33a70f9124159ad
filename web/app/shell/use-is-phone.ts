import { useMediaQuery } from '@mantine/hooks'

/**
 * Whether the window is so narrow (as in the style sheets) that the icons of the top bar stand at its foot. Only one of the two bars is
 * drawn: each has all of their links.
 */
export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
