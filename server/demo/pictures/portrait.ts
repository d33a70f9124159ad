import type { Palette } from './palettes.ts'
import type { Random } from './random.ts'

/** A person in a few flat shapes: shoulders, neck, head, hair. No face, so that it resembles nobody. */
export function portrait(random: Random, palette: Palette, side: number): string {
  const at = (share: number) => share * side
  const skin = random.pick(['#f0c9a8', '#d9a27c', '#b67a55', '#8a563b', '#e6b894'])
  const hair = random.pick(['#2b1d1a', '#5b3524', '#8f5a2f', '#1c1a22', '#6a2f2a'])
  const long = random.between(0, 1) > 0.45
  const back = long
    ? `<path d="M${at(0.3)} ${at(0.42)} C${at(0.24)} ${at(0.14)} ${at(0.76)} ${at(0.14)} ${at(0.7)} ${at(0.42)} C${at(0.76)} ${at(0.62)} ${at(0.72)} ${at(0.76)} ${at(0.68)} ${at(0.8)} H${at(0.32)} C${at(0.28)} ${at(0.76)} ${at(0.24)} ${at(0.62)} ${at(0.3)} ${at(0.42)} Z" fill="${hair}"/>`
    : ''
  const fringe = long
    ? `<path d="M${at(0.35)} ${at(0.44)} C${at(0.36)} ${at(0.22)} ${at(0.64)} ${at(0.2)} ${at(0.65)} ${at(0.44)} C${at(0.6)} ${at(0.36)} ${at(0.52)} ${at(0.33)} ${at(0.46)} ${at(0.33)} C${at(0.42)} ${at(0.36)} ${at(0.38)} ${at(0.39)} ${at(0.35)} ${at(0.44)} Z" fill="${hair}"/>`
    : `<path d="M${at(0.345)} ${at(0.43)} C${at(0.32)} ${at(0.18)} ${at(0.68)} ${at(0.16)} ${at(0.655)} ${at(0.43)} C${at(0.64)} ${at(0.35)} ${at(0.6)} ${at(0.33)} ${at(0.5)} ${at(0.335)} C${at(0.42)} ${at(0.33)} ${at(0.37)} ${at(0.35)} ${at(0.345)} ${at(0.43)} Z" fill="${hair}"/>`
  return `<rect width="${side}" height="${side}" fill="${palette.planes[0]}"/>
    <circle cx="${at(0.78)}" cy="${at(0.24)}" r="${at(0.3)}" fill="${palette.glow}" opacity=".55"/>
    ${back}
    <path d="M${at(0.08)} ${side} C${at(0.1)} ${at(0.78)} ${at(0.3)} ${at(0.74)} ${at(0.42)} ${at(0.7)} H${at(0.58)} C${at(0.7)} ${at(0.74)} ${at(0.9)} ${at(0.78)} ${at(0.92)} ${side} Z" fill="${random.pick([palette.accent, palette.planes[2], palette.planes[3]])}"/>
    <path d="M${at(0.43)} ${at(0.58)} H${at(0.57)} V${at(0.71)} C${at(0.57)} ${at(0.79)} ${at(0.43)} ${at(0.79)} ${at(0.43)} ${at(0.71)} Z" fill="${skin}"/>
    <path d="M${at(0.43)} ${at(0.6)} H${at(0.57)} V${at(0.66)} C${at(0.53)} ${at(0.69)} ${at(0.47)} ${at(0.69)} ${at(0.43)} ${at(0.66)} Z" fill="${palette.ink}" opacity=".16"/>
    <ellipse cx="${at(0.5)}" cy="${at(0.45)}" rx="${at(0.15)}" ry="${at(0.19)}" fill="${skin}"/>
    ${fringe}`
}
