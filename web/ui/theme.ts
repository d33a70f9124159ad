import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import { typeAhead } from './menu-type-ahead.ts'

/** Crimson. Shade 7 fills buttons on light (7.1:1 with white), shade 6 on dark (5.6:1), shade 3 is text on dark. */
const crimson: MantineColorsTuple = [
  '#fdf0f2',
  '#f9dbe1',
  '#f4bcc8',
  '#f08fa5',
  '#e76883',
  '#dc4467',
  '#c9264f',
  '#b3123b',
  '#970d31',
  '#7a0826',
]

/** Warm grays for backgrounds and text. */
const gray: MantineColorsTuple = [
  '#faf7f2',
  '#f4efe7',
  '#ebe4d9',
  '#ddd4c7',
  '#c7bbac',
  '#a3968a',
  '#6b6158',
  '#51483f',
  '#3a332d',
  '#231e1a',
]

const dark: MantineColorsTuple = [
  '#f1ebe2',
  '#d9d0c5',
  '#b0a599',
  '#7d7268',
  '#413933',
  '#352e29',
  '#241f1b',
  '#171412',
  '#110f0d',
  '#0b0908',
]

/** CONST-04. */
const scrolling = { defaultProps: { scrollHideDelay: 600 } }

const serif = "'Fraunces Variable', Georgia, 'Times New Roman', serif"

export const theme = createTheme({
  primaryColor: 'crimson',
  primaryShade: { light: 7, dark: 6 },
  colors: { crimson, gray, dark },
  black: '#231e1a',
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  headings: { fontFamily: serif, fontWeight: '560', textWrap: 'balance' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A menu with many items, or on a phone in landscape, scrolls within the window.
    Menu: { defaultProps: { middlewares: { size: { padding: 8 } } } },
    MenuDropdown: { defaultProps: { onKeyDown: typeAhead } },
    ScrollArea: scrolling,
    ScrollAreaAutosize: scrolling,
  },
})

/** A light background has a tint of its color: Mantine's is as heavy as a button on dark and too loud on light. */
const tint = (color: string, percent: number) => `color-mix(in srgb, ${color} ${percent}%, transparent)`

/** Where Mantine's tokens miss WCAG AA on our background, or would be pure white or pure gray. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--font-serif': serif },
  light: {
    '--mantine-color-body': '#faf7f2',
    '--mantine-color-placeholder': '#6b6158',
    '--mantine-color-error': '#b42318',
    '--mantine-color-dimmed': '#6b6158',
    '--mantine-color-crimson-light': tint('#b3123b', 9),
    '--mantine-color-crimson-light-hover': tint('#b3123b', 14),
    '--mantine-color-teal-light': tint('#1d6b3a', 10),
    '--mantine-color-teal-light-hover': tint('#1d6b3a', 15),
    '--mantine-color-teal-light-color': '#1d6b3a',
    '--mantine-color-yellow-light': tint('#8a6100', 9),
    '--mantine-color-yellow-light-hover': tint('#8a6100', 14),
    '--mantine-color-yellow-light-color': '#8a6100',
    '--surface': '#fffdfa',
    '--border': '#e6ddd1',
    '--field-border': '#988b7e',
    '--accent-text': '#b3123b',
    '--mantine-color-anchor': '#b3123b',
    '--success-text': '#1d6b3a',
    '--tone-green': '#1d6b3a',
    '--tone-red': '#c0271d',
    '--tone-blue': '#1f5f99',
    '--tone-purple': '#6d3aa0',
    '--tone-yellow': '#8a6100',
  },
  dark: {
    '--mantine-color-body': '#171412',
    '--mantine-color-placeholder': '#b0a599',
    '--mantine-color-error': '#ff9a8f',
    '--mantine-color-dimmed': '#b0a599',
    '--mantine-color-crimson-light': tint('#f08fa5', 13),
    '--mantine-color-crimson-light-hover': tint('#f08fa5', 19),
    '--mantine-color-crimson-light-color': '#f08fa5',
    '--mantine-color-gray-light': tint('#f1ebe2', 9),
    '--mantine-color-gray-light-hover': tint('#f1ebe2', 14),
    '--mantine-color-gray-light-color': '#d9d0c5',
    '--mantine-color-teal-light': tint('#7fd09b', 13),
    '--mantine-color-teal-light-hover': tint('#7fd09b', 19),
    '--mantine-color-teal-light-color': '#7fd09b',
    '--mantine-color-yellow-light': tint('#eec863', 13),
    '--mantine-color-yellow-light-hover': tint('#eec863', 19),
    '--mantine-color-yellow-light-color': '#eec863',
    // Mantine's is as dark as a surface: the button would be invisible.
    '--mantine-color-disabled': '#312a26',
    '--mantine-color-disabled-color': '#8b8075',
    '--surface': '#201c19',
    '--border': '#38312b',
    '--field-border': '#746a60',
    '--accent-text': '#f08fa5',
    '--mantine-color-anchor': '#f08fa5',
    '--success-text': '#7fd09b',
    '--tone-green': '#7fd09b',
    '--tone-red': '#ff9a8f',
    '--tone-blue': '#8cc1f0',
    '--tone-purple': '#cba6f0',
    '--tone-yellow': '#eec863',
  },
})
