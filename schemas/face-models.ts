/** The models that refine faces. A request names one, or gets one image of each. */

export const faceModels = [
  { id: 'face-clarity', name: 'Clarity', description: 'Brings back crisp detail in soft or small faces.' },
  { id: 'face-natural', name: 'Natural', description: 'Takes out noise and sharpens gently.' },
  { id: 'face-portrait', name: 'Portrait', description: 'Evens skin and light; eyes and lips stay crisp.' },
] as const;
