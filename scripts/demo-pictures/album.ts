import { faces } from './faces.ts'
import type { Film } from './render/film.ts'
import type { Image, Size } from './render/image.ts'
import { hex, type Vector } from './render/vector.ts'
import { herbarium, type Plant } from './scenes/botany.ts'
import { courtyard, passage, roofs, stairs } from './scenes/city.ts'
import { folds, line, mannequin, spools, stack } from './scenes/cloth.ts'
import { bands, bench, chains, pearls, solitaire } from './scenes/jewel.ts'
import { bread, carrots, soup, stillLife, table } from './scenes/kitchen.ts'
import { peaks, ranges, type Weather } from './scenes/landscape.ts'
import { keys, knobs, microphone, vinyl } from './scenes/music.ts'
import { bokeh, milkyWay, moon, nebula, starTrails } from './scenes/night.ts'
import { portrait } from './scenes/portrait.ts'
import { branch, glazeDetail, group, shelves } from './scenes/pottery.ts'
import { sea } from './scenes/sea.ts'
import { balance, glassworks, island, parade } from './scenes/toys.ts'
import { bar, practice, weights } from './scenes/training.ts'
import { joint, plane, spoons, stool } from './scenes/workshop.ts'

export type Shot = Size & { readonly take: (size: Size) => Image; readonly film: Film }

const upright: Size = { width: 768, height: 960 }
const wide: Size = { width: 960, height: 640 }
const square: Size = { width: 800, height: 800 }
const cover: Size = { width: 1440, height: 450 }
const face: Size = { width: 384, height: 384 }

const tint = (color: string): Vector => hex(color).map((value) => value ** (1 / 2.2)) as unknown as Vector

/** Warm, soft negative film; slide film with deep colors; black and white; night with blue shadows; clean digital. */
const films = {
  negative: {
    contrast: 1.04,
    saturation: 1.02,
    fade: 0.035,
    shadows: tint('#6f8a8f'),
    highlights: tint('#a68a70'),
    grain: 0.013,
    vignette: 0.24,
  },
  slide: { contrast: 1.14, saturation: 1.16, grain: 0.009, vignette: 0.26 },
  mono: {
    monochrome: true,
    contrast: 1.22,
    fade: 0.025,
    shadows: tint('#7d8084'),
    highlights: tint('#86827c'),
    grain: 0.018,
    vignette: 0.32,
  },
  night: {
    contrast: 1.1,
    saturation: 1.08,
    shadows: tint('#6a7a9f'),
    highlights: tint('#9a8470'),
    grain: 0.011,
    glow: 0.1,
    vignette: 0.28,
  },
  clean: { contrast: 1.06, saturation: 1.06, grain: 0.006, vignette: 0.14 },
  faded: {
    contrast: 0.98,
    saturation: 0.9,
    fade: 0.06,
    shadows: tint('#7f7a8a'),
    highlights: tint('#a3947a'),
    grain: 0.015,
    vignette: 0.2,
  },
} satisfies Record<string, Film>

const weather = {
  dawn: {
    zenith: '#7f93ab',
    horizon: '#f0cfae',
    sun: '#ffb877',
    haze: '#a9a4ac',
    near: '#26302f',
    at: [0.62, 0.3],
    fog: 0.95,
  },
  rose: {
    zenith: '#6f7fa6',
    horizon: '#eab5a4',
    sun: '#ff9a6a',
    haze: '#9a8fae',
    near: '#20263a',
    at: [0.3, 0.36],
    fog: 1,
  },
  dusk: {
    zenith: '#2f3f66',
    horizon: '#d98a6a',
    sun: '#ff8a4a',
    haze: '#6a6488',
    near: '#141a28',
    at: [0.7, 0.38],
    fog: 0.6,
  },
  clear: {
    zenith: '#4f86c6',
    horizon: '#cfe0ea',
    sun: '#ffe2b0',
    haze: '#8fa9c4',
    near: '#4a4640',
    at: [0.2, 0.2],
    fog: 0.35,
  },
  storm: {
    zenith: '#5f6a74',
    horizon: '#c3c7c6',
    sun: '#e6e0d0',
    haze: '#8a949c',
    near: '#2a3134',
    at: [0.35, 0.16],
    fog: 0.6,
  },
  green: {
    zenith: '#9fb6bd',
    horizon: '#e6e6d2',
    sun: '#ffe9b8',
    haze: '#93a89a',
    near: '#1f3328',
    at: [0.25, 0.24],
    fog: 1.05,
  },
  calm: {
    zenith: '#7fa6c4',
    horizon: '#f2ddc8',
    sun: '#ffcf9a',
    haze: '#9fb4c4',
    near: '#1f4452',
    at: [0.58, 0.34],
    fog: 0.4,
  },
  noon: {
    zenith: '#3f84cf',
    horizon: '#bfe0ea',
    sun: '#fff0cf',
    haze: '#7fb6c9',
    near: '#0f5468',
    at: [0.3, 0.1],
    fog: 0.2,
  },
} satisfies Record<string, Weather>

const plants = {
  poppy: { seed: 14, kind: 'poppy', colors: ['#6f8a4f', '#3f5a38', '#d1432f'] },
  fern: { seed: 9, kind: 'fern', colors: ['#8aa35a', '#3d5c33', '#8a6a3a'] },
  olive: { seed: 27, kind: 'branch', colors: ['#8f9f78', '#55694a', '#3f3a52'] },
  thistle: { seed: 33, kind: 'thistle', colors: ['#8fa38a', '#4f6a58', '#8a4f9a'] },
  grass: { seed: 40, kind: 'grass', colors: ['#b59a5a', '#7a6a3a', '#a8743f'] },
} satisfies Record<string, Plant>

const shot = (size: Size, take: Shot['take'], film: Film, more: Partial<Film> = {}): Shot => ({
  ...size,
  take,
  film: { ...film, ...more },
})

/** Eight seconds of fog, from behind the tripod. */
export const motion = {
  width: 540,
  height: 676,
  frames: 192,
  perSecond: 24,
  film: { ...films.negative, grain: 0.007 },
  /** @param share of the time, from 0 to 1. */
  take: (size: Size, share: number): Image =>
    ranges(size, { ...weather.rose, at: [0.36, 0.4 - 0.05 * share] }, { seed: 52, layers: 7, drift: share * 0.5 }),
} as const

/** Every picture of the demo, by the name of its file. */
export const album: Readonly<Record<string, Shot>> = {
  'mara-cover': shot(cover, (s) => ranges(s, weather.dawn, { seed: 4, layers: 7, top: 0.42 }), films.negative),
  'mara-valley': shot(upright, (s) => ranges(s, weather.dawn, { seed: 12, layers: 8 }), films.negative),
  'mara-coast-1': shot(square, (s) => sea(s, weather.dusk, { seed: 3, line: 0.46 }), films.negative),
  'mara-coast-2': shot(
    square,
    (s) => sea(s, weather.storm, { seed: 8, calm: 0.9, line: 0.4, rocks: true }),
    films.mono,
  ),
  'mara-coast-3': shot(
    square,
    (s) => ranges(s, weather.rose, { seed: 21, layers: 6, woods: false, steep: 0.7 }),
    films.faded,
  ),
  'mara-coast-4': shot(square, (s) => peaks(s, weather.rose, { seed: 5, lake: true, snow: 0.34 }), films.negative),
  'mara-fog': shot(
    upright,
    (s) => ranges(s, { ...weather.green, fog: 1.25 }, { seed: 33, layers: 6, top: 0.3 }),
    films.faded,
  ),
  'mara-summit': shot(upright, (s) => peaks(s, weather.clear, { seed: 9, snow: 0.22, height: 2.8 }), films.mono),
  'mara-ridge': shot(wide, (s) => ranges(s, weather.dusk, { seed: 45, layers: 7, top: 0.4 }), films.negative),
  'tomas-cover': shot(cover, table, films.negative, { exposure: -0.1 }),
  'tomas-carrots': shot(upright, carrots, films.clean),
  'tomas-bread': shot(upright, bread, films.negative, { exposure: 0.9 }),
  'tomas-soup': shot(square, soup, films.clean),
  'tomas-still': shot(wide, stillLife, films.negative),
  'ines-cover': shot(
    cover,
    (s) => herbarium(s, plants.fern, { close: true, desk: 'dark', second: plants.poppy }),
    films.faded,
  ),
  'ines-poppy': shot(upright, (s) => herbarium(s, plants.poppy, { desk: 'light' }), films.clean),
  'ines-fern': shot(upright, (s) => herbarium(s, plants.fern, { desk: 'dark' }), films.clean),
  'ines-olive': shot(upright, (s) => herbarium(s, plants.olive, { desk: 'linen' }), films.clean),
  'ines-thistle': shot(
    wide,
    (s) => herbarium(s, plants.thistle, { close: true, desk: 'dark', second: plants.grass }),
    films.negative,
  ),
  'juno-cover': shot(cover, (s) => sea(s, weather.calm, { seed: 12, line: 0.4, beach: 0.62 }), films.clean),
  'juno-shore': shot(upright, (s) => sea(s, weather.calm, { seed: 6, line: 0.36, beach: 0.5 }), films.clean),
  'juno-practice': shot(upright, practice, films.clean),
  'juno-weights': shot(square, weights, films.slide),
  'juno-bar': shot(wide, bar, films.slide),
  'bea-cover': shot(cover, (s) => folds(s, '#b9a88c', { seed: 4, kind: 'linen', scale: 1.2 }), films.faded),
  'bea-wool': shot(square, (s) => folds(s, '#8a2436', { seed: 2, kind: 'wool' }), films.negative, { exposure: 1.3 }),
  'bea-silk': shot(square, (s) => folds(s, '#2f5a63', { seed: 7, kind: 'silk', low: true }), films.negative, {
    exposure: 1.2,
  }),
  'bea-stack': shot(
    upright,
    (s) => stack(s, ['#2b2f3a', '#7a2f3a', '#c9b08a', '#54685c', '#a3522f', '#d9cfbd']),
    films.faded,
  ),
  'bea-spools': shot(wide, spools, films.slide, { exposure: 1.7 }),
  'bea-form': shot(upright, mannequin, films.negative),
  'bea-line': shot(wide, line, films.faded),
  'noor-cover': shot(cover, (s) => courtyard(s, { wide: true }), films.slide),
  'noor-courtyard': shot(upright, (s) => courtyard(s), films.slide),
  'noor-passage': shot(upright, (s) => passage(s), films.faded),
  'noor-stairs': shot(upright, stairs, films.clean),
  'noor-roofs': shot(wide, roofs, films.negative),
  'aiko-cover': shot(cover, shelves, films.negative),
  'aiko-group': shot(
    upright,
    (s) =>
      group(
        s,
        [
          ['bottle', 'cobalt', [-0.85, 0, -0.35], 1.05],
          ['moon', 'chalk', [0.7, 0, -0.25], 1],
          ['cup', 'tenmoku', [-0.2, 0, 0.75], 0.95],
          ['bowl', 'celadon', [1.5, 0, 0.75], 0.72],
        ],
        { sunny: true, angle: 37 },
      ),
    films.faded,
  ),
  'aiko-glaze': shot(square, glazeDetail, films.slide),
  'aiko-branch': shot(upright, branch, films.faded),
  'aiko-bowls': shot(
    wide,
    (s) =>
      group(
        s,
        [
          ['bowl', 'moss', [-1.75, 0, -0.15], 0.92],
          ['bowl', 'shino', [0.05, 0, 0.3], 1],
          ['bowl', 'celadon', [1.8, 0, -0.2], 0.88],
          ['bottle', 'chalk', [0.95, 0, -1.25], 0.8],
        ],
        {
          cloth: '#d3c8b4',
          wallColor: '#c3b49d',
          sunny: true,
          camera: [0.2, 2.5, 6.8],
          to: [0.05, 0.55, 0],
          angle: 29,
        },
      ),
    films.faded,
  ),
  'dario-cover': shot(cover, (s) => bokeh(s, { seed: 3 }), films.night),
  'dario-knobs': shot(square, (s) => knobs(s), films.night, { exposure: 1.2 }),
  'dario-keys': shot(wide, keys, films.night, { exposure: 1 }),
  'dario-vinyl': shot(square, vinyl, films.night, { exposure: 2.6 }),
  'dario-street': shot(upright, (s) => bokeh(s, { seed: 9, line: -0.12 }), films.night),
  'dario-microphone': shot(upright, microphone, films.night, { exposure: 1.8 }),
  'elias-cover': shot(cover, (s) => stool(s, { three: true }), films.negative),
  'elias-stool': shot(upright, (s) => stool(s), films.negative),
  'elias-joint': shot(square, joint, films.negative),
  'elias-plane': shot(wide, plane, films.faded),
  'elias-spoons': shot(square, spoons, films.clean),
  'amara-cover': shot(cover, pearls, films.slide, { exposure: 0.7 }),
  'amara-solitaire': shot(upright, (s) => solitaire(s), films.slide),
  'amara-bands': shot(square, bands, films.slide),
  'amara-chains': shot(upright, chains, films.clean),
  'amara-bench': shot(wide, bench, films.night, { exposure: 2 }),
  'nadia-cover': shot(cover, (s) => milkyWay(s, { seed: 6, slant: 1.32, tent: false }), films.night),
  'nadia-milky-way': shot(upright, (s) => milkyWay(s, { seed: 2 }), films.night),
  'nadia-nebula': shot(square, (s) => nebula(s, { seed: 4 }), films.slide),
  'nadia-moon': shot(square, (s) => moon(s, { seed: 3 }), films.mono),
  'nadia-trails': shot(upright, (s) => starTrails(s, { seed: 7 }), films.night),
  'pia-cover': shot(cover, parade, films.clean),
  'pia-balance': shot(upright, balance, films.clean),
  'pia-island': shot(square, (s) => island(s), films.clean),
  'pia-night': shot(square, (s) => island(s, { night: true, grass: '#7f9a78' }), films.clean, { exposure: 1.25 }),
  'pia-glass': shot(wide, glassworks, films.clean),
  ...Object.fromEntries(
    Object.entries(faces).map(([name, look]) => [
      `face-${name}`,
      shot(face, (s) => portrait(s, look), films.negative, { grain: 0.007, vignette: 0.3, quality: 80 }),
    ]),
  ),
}
