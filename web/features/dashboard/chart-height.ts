/** In pixels, for the chart and its placeholder. On a phone, the legend takes three lines of it. */
export const chartHeight = { base: 340, xs: 280 }
