/** In px, of the chart and of what stands for it. A phone's legend takes three lines of it. */
export const chartHeight = { base: 340, xs: 280 }
