import {
  convertCssVariables,
  DEFAULT_THEME,
  deepMerge,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core'
import type { Plugin } from 'vite'
import { cssVariables, theme } from '../ui/theme.ts'

const id = 'virtual:theme-variables.css'

/**
 * The theme's variables as a part of the style sheet. Left to itself, Mantine writes them again at each start, and into each document that the
 * server renders: 12 kB, and a twentieth of the time. Those of its own theme are in default-css-variables.css.
 */
export function themeVariables(): Plugin {
  return {
    name: 'theme-variables',
    resolveId: (source) => (source === id ? id : undefined),
    load: (source) => (source === id ? buildStyles() : undefined),
  }
}

function buildStyles(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme)
  const ours = deepMerge(defaultCssVariablesResolver(merged), cssVariables(merged))
  const mantines = defaultCssVariablesResolver(DEFAULT_THEME)
  const changed = (part: keyof typeof mantines) => {
    const known: Readonly<Record<string, string>> = mantines[part]
    return Object.fromEntries(Object.entries(ours[part]).filter(([name, value]) => known[name] !== value))
  }
  return convertCssVariables({ variables: changed('variables'), light: changed('light'), dark: changed('dark') })
}
