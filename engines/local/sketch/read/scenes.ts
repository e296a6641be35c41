/** The places that the illustrator can paint, and the words for them. */
import { phraseTable } from '../../language/phrases.ts';

export type Scene =
  | 'mountains'
  | 'fuji'
  | 'sea'
  | 'forest'
  | 'desert'
  | 'city'
  | 'meadow'
  | 'lake'
  | 'river'
  | 'village'
  | 'table'
  | 'room'
  | 'space'
  | 'moonscape'
  | 'underwater'
  | 'sky'
  | 'garden'
  | 'winter'
  | 'jungle'
  | 'road'
  | 'volcano'
  | 'abstract';

const list = phraseTable(`
  mountains: mountain, mountains, peak, peaks, alps, alpine, cliff, cliffs, summit, himalaya, andes, highland,
    highlands, ridge, canyon, valley, fjord, mount, everest, matterhorn, rocky mountains
  fuji: mount fuji, fuji, fujiyama, mt fuji, kilimanjaro
  sea: sea, ocean, beach, coast, coastal, shore, seaside, harbor, harbour, bay, island, wave, waves, surf, lagoon,
    port, pier, marina, tide, atlantic, pacific, mediterranean, seashore, coastline
  forest: forest, woods, woodland, pine, pines, trees, grove, birch, spruce, fir, redwood, enchanted forest, taiga,
    glade, thicket
  desert: desert, dune, dunes, sahara, oasis, sand dunes, mesa, badlands, savanna, savannah
  city: city, skyline, skyscraper, skyscrapers, street, streets, downtown, urban, metropolis, cityscape, tokyo,
    manhattan, new york, london, paris, alley, rooftop, rooftops, cyberpunk, avenue, shanghai, hong kong, neon city
  meadow: meadow, hill, hills, field, fields, grass, countryside, prairie, pasture, rolling hills, farm, farmland,
    steppe, wheat field, lawn, park, tuscany, rural, picnic
  lake: lake, pond, tarn, loch, reservoir, alpine lake, mountain lake, lakeside, reflection, marsh, swamp
  river: river, stream, creek, brook, waterfall, canal, riverbank
  village: village, town, hamlet, cottages, old town, small town
  table: table, still life, bowl, plate, kitchen table, tabletop, desk, breakfast, tea party, basket
  room: interior, room, bedroom, kitchen, living room, cafe, library, studio, office, indoors, windowsill, fireplace
  space: space, galaxy, nebula, cosmos, cosmic, universe, outer space, planet, planets, orbit, interstellar,
    milky way, solar system, asteroid, asteroids
  moonscape: on the moon, moon surface, lunar surface, lunar, mars, on mars, alien planet, martian, crater, craters
  underwater: underwater, coral reef, reef, under the sea, under water, deep sea, seabed, sea floor, ocean floor,
    aquarium, beneath the waves, undersea
  sky: sky, clouds, cloudscape, above the clouds, in the clouds, heavens, skies, in flight, flying high
  garden: garden, flowerbed, flower field, flower garden, orchard, botanical, flowers, tulip field, wildflowers,
    blossoms, flower meadow, lavender field, park bench
  winter: winter, snowy, snow, snowfield, arctic, antarctica, tundra, frozen, ice, icy, glacier, north pole, iceberg,
    winter wonderland, blizzard
  jungle: jungle, rainforest, tropical forest, tropics, amazon
  road: road, highway, path, trail, route, racetrack, roadside, motorway
  volcano: volcano, lava, eruption, magma, volcanic
  abstract: abstract, pattern, texture, geometric, fractal, swirl, swirls, shapes, surreal, psychedelic,
    kaleidoscope, background, wallpaper, gradient
`) as [string, Scene][];

/** The reader looks up longer phrases first. */
export const sceneWords: ReadonlyMap<string, Scene> = new Map(list);
