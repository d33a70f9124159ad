import sharp from 'sharp'

/** A photo like a camera's: large, with grain, as JPEG. @param hue distinguishes photos. */
export async function photo(hue: number, width = 1600, height = 1200): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${hue} 60% 80%)"/><stop offset="1" stop-color="hsl(${hue + 40} 50% 45%)"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#sky)"/>
    <circle cx="${width * 0.7}" cy="${height * 0.3}" r="${height * 0.1}" fill="hsl(${hue + 180} 70% 60%)"/>
    <path d="M0 ${height * 0.7} Q${width * 0.3} ${height * 0.5} ${width * 0.55} ${height * 0.7} T${width} ${height * 0.62} V${height} H0 Z" fill="hsl(${hue + 60} 35% 28%)"/>
  </svg>`
  return sharp(Buffer.from(svg)).jpeg({ quality: 88 }).toBuffer()
}
