/** Seven colors of one mood: `sky` and `glow` far away, four planes from far to near, and `ink` for the foreground. */
export type Palette = {
  readonly sky: string
  readonly glow: string
  readonly planes: readonly [string, string, string, string]
  readonly ink: string
  readonly accent: string
}

export const palettes = {
  dawn: {
    sky: '#f3d9c4',
    glow: '#fbeedd',
    planes: ['#e3ac90', '#c97f6b', '#8f4f52', '#4d2c3a'],
    ink: '#2a1823',
    accent: '#d8433b',
  },
  sea: {
    sky: '#cfe3e4',
    glow: '#f4f0df',
    planes: ['#93bfc4', '#5a97a3', '#2f6877', '#173e4d'],
    ink: '#0d2530',
    accent: '#e0a13f',
  },
  grove: {
    sky: '#e8ead2',
    glow: '#fbf8e6',
    planes: ['#b9c498', '#86a071', '#4f7355', '#2b4a3c'],
    ink: '#182c26',
    accent: '#c9592f',
  },
  clay: {
    sky: '#efe3d3',
    glow: '#faf4ea',
    planes: ['#dcb894', '#c08a5f', '#935a3b', '#5a3527'],
    ink: '#331d16',
    accent: '#31586b',
  },
  dusk: {
    sky: '#d9cfe0',
    glow: '#f6e6dc',
    planes: ['#b19cc0', '#83709f', '#544878', '#2f2a4f'],
    ink: '#1b1833',
    accent: '#e27d5b',
  },
  linen: {
    sky: '#eee9df',
    glow: '#fbf9f4',
    planes: ['#d6cdbb', '#b4a68d', '#7f7460', '#4b453a'],
    ink: '#2a2721',
    accent: '#b3123b',
  },
} as const satisfies Record<string, Palette>
