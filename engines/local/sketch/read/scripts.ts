/** Translates a few words of other scripts before the reader sees them. */

const list: readonly (readonly [string, string])[] = (
  '富士山 mount fuji,黄昏 dusk,夕暮 dusk,夕焼 sunset,夕陽 sunset,日落 sunset,日出 dawn,朝 morning,夜 night,星空 starry,星 stars,月 moon,太陽 sun,太阳 sun,' +
  '山 mountains,海 sea,森林 forest,森 forest,砂漠 desert,沙漠 desert,都市 city,城市 city,街 city,湖 lake,川 river,河 river,村 village,雪 snow,雨 rain,雾 fog,霧 fog,' +
  '花 flowers,桜 cherry blossom,樱花 cherry blossom,猫 cat,犬 dog,狗 dog,鳥 bird,鸟 bird,魚 fish,鱼 fish,馬 horse,马 horse,船 boat,城 castle,龍 dragon,龙 dragon,虎 tiger,熊猫 panda,' +
  '산 mountains,바다 sea,숲 forest,밤 night,고양이 cat,горы mountains,море sea,лес forest,ночь night,закат sunset,зима winter,город city,кот cat,лиса fox,цветы flowers'
)
  .split(',')
  .map((entry): readonly [string, string] => {
    const space = entry.indexOf(' ');
    return [entry.slice(0, space), entry.slice(space + 1)];
  })
  .sort((a, b) => b[0].length - a[0].length);

export function translateScripts(text: string): string {
  if (!/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(text)) return text;
  let out = text.toLowerCase();
  for (const [foreign, english] of list) out = out.replaceAll(foreign, ` ${english} `);
  return out;
}
