/** The models that refine faces. A request uses one of them, or all of them. */

export const faceModels = [
  { id: 'face-clarity', name: 'Clarity', description: 'Restores crisp detail in soft or small faces.' },
  { id: 'face-natural', name: 'Natural', description: 'Removes noise and sharpens gently.' },
  { id: 'face-portrait', name: 'Portrait', description: 'Evens skin and light; eyes and lips stay crisp.' },
] as const;
